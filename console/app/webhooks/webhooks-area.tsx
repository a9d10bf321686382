// Below /console/webhooks: addresses that audit events are posted to.

import type { AreaProps } from '../parts/area-props.ts';
import { NothingHere } from '../parts/nothing-here.tsx';
import { DeliveryPage } from './delivery-page.tsx';
import { VerifyPage } from './verify-page.tsx';
import { WebhookPage } from './webhook-page.tsx';
import { WebhooksPage } from './webhooks-page.tsx';
import './webhooks.css';

export function WebhooksArea({ path }: AreaProps) {
  const [id, delivery, ...more] = path;
  if (id === undefined) return <WebhooksPage />;
  if (more.length > 0) return <NothingHere />;
  if (delivery !== undefined) return <DeliveryPage key={delivery} webhook={id} id={delivery} />;
  return id === VERIFY ? <VerifyPage /> : <WebhookPage key={id} id={id} />;
}

/** Ids of webhooks are letters, digits and low lines. */
const VERIFY = '+verify';
