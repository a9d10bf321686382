// `npm run recording`: docs/images/recording.png, the quick start as somebody sees it: the terminal, the
// login, the app, a share of one's own, and the console. All that it shows was printed by the program or
// drawn by the browser.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core';
import { ARGUMENTS } from '../test/support/chromium.ts';
import { type RunningQuickstart, startQuickstart } from '../test/support/quickstart.ts';
import { animatedPng, type Frame } from './pictures/animated-png.ts';

const ROOT = join(import.meta.dirname, '..');
const INTO = join(ROOT, 'docs/images/recording.png');
const SIZE = { width: 960, height: 600 };
const BAR_PX = 40;
const ADA = 'ada@example.com';
/** How long each kind of picture stays. */
const SHOWN_MS = { key: 60, pause: 900, read: 2600 };

type Film = {
  readonly frames: Frame[];
  /** Where everything is drawn: a window with a bar above its content. */
  readonly stage: Page;
};

async function main(): Promise<void> {
  const dir = mkdtempSync(join(tmpdir(), 'doorward-recording-'));
  const app = await sampleApp();
  const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: [...ARGUMENTS] });
  const quickstart = await startQuickstart({ dir: join(dir, 'quickstart'), port: null });
  try {
    const stage = await (await browser.newContext({ viewport: SIZE })).newPage();
    await stage.setContent(STAGE);
    const film: Film = { frames: [], stage };
    await play(film, browser, quickstart, dir);
    writeFileSync(INTO, animatedPng(film.frames));
    process.stdout.write(`${INTO}: ${film.frames.length} pictures\n`);
  } finally {
    await quickstart.stop();
    await browser.close();
    app.close();
    rmSync(dir, { recursive: true, force: true });
  }
}

async function play(film: Film, browser: Browser, quickstart: RunningQuickstart, dir: string): Promise<void> {
  const started = 'doorward quickstart';
  await type(film, '', started);
  const printed = quickstart.output().split('\n').slice(0, 14).join('\n');
  await terminal(film, `$ ${started}\n${printed}`, SHOWN_MS.read);

  const visitor = await browser.newContext({
    viewport: { width: SIZE.width, height: SIZE.height - BAR_PX },
    colorScheme: 'dark',
  });
  const page = await visitor.newPage();
  await page.goto(quickstart.address);
  await logIn(film, page);
  await shown(film, page, quickstart.address, SHOWN_MS.read);

  const share = 'doorward share public 3000 --oauth-provider dev';
  await type(film, '', share);
  const folder = join(dir, 'quickstart');
  const control = /http:\/\/[^\s/]+\/console\//.exec(quickstart.output())?.[0] ?? '';
  const agent = spawn(process.execPath, [join(ROOT, 'bin/doorward.js'), ...share.split(' ').slice(1)], {
    env: {
      ...process.env,
      DOORWARD_URL: new URL(control).origin,
      DOORWARD_API_KEY_FILE: join(folder, 'api-key'),
      NO_COLOR: '1',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    const lines: string[] = [];
    const reader = createInterface({ input: agent.stdout });
    reader.on('line', (line) => lines.push(line));
    while (!lines.some((line) => line.startsWith('expires'))) await once(reader, 'line');
    const address = lines[0] ?? '';
    await terminal(film, `$ ${share}\n${lines.join('\n')}`, SHOWN_MS.read);
    await page.goto(address);
    await page.waitForURL(`${address}/`);
    while (!lines.some((line) => line.includes(ADA))) await once(reader, 'line');
    await shown(film, page, address, SHOWN_MS.pause);
    await terminal(film, `$ ${share}\n${lines.join('\n')}`, SHOWN_MS.read);
    await consoleScenes(film, { visitor, app: page, address }, control);
  } finally {
    agent.kill('SIGINT');
    await once(agent, 'close');
  }
}

type Visit = { readonly visitor: BrowserContext; readonly app: Page; readonly address: string };

/** The list of shares, then the new one's live requests while the app is opened again. */
async function consoleScenes(film: Film, visit: Visit, at: string): Promise<void> {
  const page = await visit.visitor.newPage();
  await page.goto(at);
  await page
    .getByRole('link', { name: /dev|log in/i })
    .first()
    .click();
  await page.waitForURL((url) => url.href.startsWith(at));
  await page.goto(`${at}shares`);
  await page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' });
  await shown(film, page, `${at}shares`, SHOWN_MS.read);
  const [name = ''] = new URL(visit.address).hostname.split('.');
  await page.goto(`${at}shares/${name}`);
  const panel = page.getByRole('region', { name: 'Live requests' });
  await panel.getByRole('status').getByText('Live').waitFor();
  await visit.app.goto(visit.address);
  await panel.getByText(ADA).first().waitFor();
  await shown(film, page, `${at}shares/${name}`, SHOWN_MS.read);
}

async function logIn(film: Film, page: Page): Promise<void> {
  const person = page.locator(`button[name=email][value="${ADA}"]`);
  await person.waitFor();
  await shown(film, page, page.url().split('?')[0] ?? '', SHOWN_MS.read);
  await person.click();
  await page.waitForLoadState('networkidle');
}

/** A command, key by key. */
async function type(film: Film, above: string, command: string): Promise<void> {
  await terminal(film, `${above}$ `, SHOWN_MS.pause / 2);
  for (let length = 2; length < command.length; length += 2)
    await terminal(film, `${above}$ ${command.slice(0, length)}`, SHOWN_MS.key);
  await terminal(film, `${above}$ ${command}`, SHOWN_MS.pause / 2);
}

async function terminal(film: Film, text: string, shownMs: number): Promise<void> {
  await film.stage.evaluate(
    `document.querySelector('#bar').textContent = 'Terminal';
     document.querySelector('#screen').replaceChildren(Object.assign(document.createElement('pre'), { textContent: ${JSON.stringify(text)} }));`,
  );
  film.frames.push({ png: await film.stage.screenshot(), shownMs });
}

async function shown(film: Film, page: Page, address: string, shownMs: number): Promise<void> {
  const picture = (await page.screenshot()).toString('base64');
  await film.stage.evaluate(
    `document.querySelector('#bar').textContent = ${JSON.stringify(address)};
     const image = Object.assign(new Image(), { src: 'data:image/png;base64,${picture}' });
     document.querySelector('#screen').replaceChildren(image);
     image.decode()`,
  );
  film.frames.push({ png: await film.stage.screenshot(), shownMs });
}

/** What runs at port 3000: it greets the person of the headers. */
async function sampleApp(): Promise<Server> {
  const server = createServer((request, response) => {
    const email = String(request.headers['svc-auth-email'] ?? 'nobody');
    response.setHeader('content-type', 'text/html; charset=utf-8');
    response.end(`<!doctype html><meta name=color-scheme content=dark><title>My app</title>
      <body style="font: 1.25rem sans-serif; padding: 4rem"><h1>My app</h1><p>Hello, ${email.replaceAll('<', '')}!</p>`);
  });
  server.listen(3000, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

const STAGE = `<!doctype html><style>
  body { margin: 0; background: #131416; color: #f2f1ee; }
  #bar { height: ${BAR_PX}px; box-sizing: border-box; padding: 0.7rem 1rem; background: #0e0f10; color: #b4b2ab;
    border-bottom: 1px solid #2a2c30; font: 0.875rem sans-serif; white-space: nowrap; overflow: hidden; }
  pre { margin: 0; padding: 1.25rem; font: 0.9375rem/1.5 monospace; white-space: pre-wrap; overflow-wrap: anywhere; }
  img { display: block; }
</style><div id="bar"></div><div id="screen"></div>`;

await main();
