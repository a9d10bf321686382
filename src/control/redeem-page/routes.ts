// GET /redeem and its files: public, without credentials, at our own host alone. The token is in the fragment
// of the link, so it is never part of what is asked here.

import { ServiceError } from '../../domain/service-error.ts';
import { faultAnswer } from '../../http/fault-answer.ts';
import { wantsPage } from '../../http/wants-page.ts';
import { responseOf } from '../answer-response.ts';
import { requireOwnHost } from '../console/own-page.ts';
import type { ControlApi, ControlDeps } from '../control-deps.ts';
import { requireSecureChannel } from '../certificates/secure-channel.ts';
import { scriptedPage } from '../scripted-page/scripted-page.ts';

export function addRedeemPage(api: ControlApi, { settings }: Pick<ControlDeps, 'settings'>): void {
  api.get('/redeem', (c) => {
    const { publicUrl, brand } = settings().console;
    try {
      requireOwnHost(c.req, publicUrl);
      requireSecureChannel(publicUrl);
      return responseOf(page(brand));
    } catch (error) {
      const isForPerson = wantsPage({ method: c.req.method, headers: (name) => c.req.header(name) });
      if (!isForPerson || !(error instanceof ServiceError)) throw error;
      return responseOf(faultAnswer(error, { page: isForPerson, brand, requestId: c.env.requestId }));
    }
  });
  for (const { path, answer } of files)
    api.get(path, (c) => {
      const { publicUrl } = settings().console;
      requireOwnHost(c.req, publicUrl);
      requireSecureChannel(publicUrl);
      return responseOf(answer());
    });
}

const { page, files } = scriptedPage({
  folder: 'redeem',
  files: '/redeem/files',
  title: 'Get your certificate',
  hasStyle: true,
});
