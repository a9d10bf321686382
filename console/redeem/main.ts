// The page where a token is redeemed (contract 1.7, 2.7): the token comes in the link's fragment; a key is
// made here, or a request is given; the certificate comes back. The key and its passphrase leave this browser
// in a file that is saved, and in no other way. Nothing is kept: not in storage, not in cookies, not in the
// address.
//
//   link or code ──▶ way: this browser │ own request ──▶ redeem ──▶ done: save, install
//        ▲                    ▲                            │
//        └── the link is over ┴──── try again, same key ◀──┘

import { DEVICES, deviceAtHand } from './devices.ts';
import { showDone, type Issued } from './done.ts';
import { judgeRequest, readRequestFile } from './given-request.ts';
import { packKey, type PackedKey } from './key-store.ts';
import { part, say, show } from '../scripted-page/page-parts.ts';
import { clearProblem, showProblem } from '../scripted-page/problem.ts';
import { redeem } from './redeem.ts';
import { adviceFor, FINDINGS } from './refusals.ts';
import { type KeyKind, type MadeKey, makeKey } from './request.ts';
import { takeFragment } from '../scripted-page/fragment.ts';
import { tokenIn } from './token.ts';

let token: string | null = null;
/** Kept until its certificate is packed: a lost answer is asked for once more with the same key. */
let key: MadeKey | null = null;
let sentKey = false;
let unsaved = false;

function start(): void {
  const fragment = takeFragment();
  if (unsaved) return;
  say('status', '');
  clearProblem();
  if (fragment !== '' && tokenIn(fragment) === null) {
    askForToken();
    showProblem(FINDINGS['no-token']);
  } else if (fragment === '') askForToken();
  else useToken(tokenIn(fragment));
}

function askForToken(): void {
  token = null;
  show('way-step', false);
  show('done-step', false);
  show('token-step', true);
}

function useToken(given: string | null): void {
  clearProblem();
  if (given === null) return showProblem(FINDINGS['no-token']);
  // A key is for one token: what was made for another link is not sent with this one.
  if (given !== token) forgetKey();
  token = given;
  say('title', 'Get your certificate');
  part('token', HTMLInputElement).value = '';
  show('token-step', false);
  show('done-step', false);
  showWay();
  show('way-step', true);
}

function forgetKey(): void {
  key = null;
  sentKey = false;
  part('key-kind', HTMLSelectElement).disabled = false;
}

function chosenWay(): string {
  return document.querySelector<HTMLInputElement>('input[name=way]:checked')?.value ?? 'browser';
}

function showWay(): void {
  show('browser-way', chosenWay() === 'browser');
  show('request-way', chosenWay() !== 'browser');
}

async function send(): Promise<void> {
  clearProblem();
  if (token === null) return askForToken();
  const csr = chosenWay() === 'browser' ? await requestFromHere() : requestFromThere();
  if (csr === null) return;
  say('status', 'Requesting the certificate…');
  const outcome = await redeem(token, csr);
  if (outcome.kind === 'issued') return finish(outcome);
  const advice = adviceFor(outcome);
  if (advice.linkIsOver) {
    forgetKey();
    askForToken();
  }
  showProblem(advice, outcome.kind === 'refused' ? outcome.requestId : null);
}

/** Null when it is said what is wrong. */
async function requestFromHere(): Promise<string | null> {
  const select = part('key-kind', HTMLSelectElement);
  const kind: KeyKind = select.value === 'rsa' ? 'rsa' : 'p256';
  try {
    if (key === null || (key.kind !== kind && !sentKey)) {
      say('status', 'Creating your key…');
      key = await makeKey(kind);
    }
  } catch {
    showProblem(FINDINGS['no-crypto']);
    return null;
  }
  // From now on another key could come too late: the token may be used with this one.
  sentKey = true;
  select.disabled = true;
  return key.csr;
}

function requestFromThere(): string | null {
  const given = judgeRequest(part('csr', HTMLTextAreaElement).value);
  if (given.kind === 'request') return given.csr;
  if (given.kind === 'private-key') part('csr', HTMLTextAreaElement).value = '';
  showProblem(FINDINGS[given.kind]);
  return null;
}

async function finish(issued: Issued): Promise<void> {
  let packed: PackedKey | null = null;
  if (chosenWay() === 'browser' && key !== null) {
    say('status', 'Packing key and certificate…');
    try {
      packed = await packKey(key, [issued.certificate, issued.chain]);
    } catch {
      return showProblem(FINDINGS['not-packed']);
    }
    unsaved = true;
  }
  show('way-step', false);
  showDone(issued, packed, part('device', HTMLSelectElement).value);
  token = null;
  forgetKey();
}

/** One at a time, however often the button is pressed. */
async function once(work: () => Promise<void>): Promise<void> {
  const button = part('redeem', HTMLButtonElement);
  if (button.disabled) return;
  button.disabled = true;
  try {
    await work();
  } finally {
    button.disabled = false;
    say('status', '');
  }
}

async function takeFile(): Promise<void> {
  const [file] = part('csr-file', HTMLInputElement).files ?? [];
  if (file === undefined) return;
  clearProblem();
  const given = judgeRequest(await readRequestFile(file));
  if (given.kind === 'request') part('csr', HTMLTextAreaElement).value = given.csr;
  else showProblem(FINDINGS[given.kind]);
  // The same file can be chosen again once it is corrected.
  part('csr-file', HTMLInputElement).value = '';
}

async function copyPassphrase(): Promise<void> {
  const { textContent } = part('passphrase', HTMLOutputElement);
  try {
    await navigator.clipboard.writeText(textContent);
    say('copy', 'Copied');
  } catch {
    getSelection()?.selectAllChildren(part('passphrase', HTMLOutputElement));
  }
}

function listen(): void {
  part('token-step', HTMLFormElement).addEventListener('submit', (event) => {
    event.preventDefault();
    useToken(tokenIn(part('token', HTMLInputElement).value));
  });
  part('way-step', HTMLFormElement).addEventListener('submit', (event) => {
    event.preventDefault();
    void once(send);
  });
  part('way-step', HTMLFormElement).addEventListener('change', showWay);
  part('csr-file', HTMLInputElement).addEventListener('change', () => void takeFile());
  part('copy', HTMLButtonElement).addEventListener('click', () => void copyPassphrase());
  for (const id of ['save-store', 'save-other'])
    part(id, HTMLAnchorElement).addEventListener('click', () => {
      unsaved = false;
    });
  addEventListener('hashchange', start);
  addEventListener('beforeunload', (event) => {
    if (unsaved) event.preventDefault();
  });
}

part('device', HTMLSelectElement).append(
  ...DEVICES.map(({ id, name }) => new Option(name, id, false, id === deviceAtHand(navigator))),
);
listen();
start();
