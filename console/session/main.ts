// Pages of a share may include this, as `<script src="/.svc/session.js" defer></script>`: it warns before the
// visitor's session ends, logs out at its end, and notices when the session ended elsewhere. It asks who is
// logged in when a page is opened, when the visitor comes back to it, when another tab says that something
// changed, and at the end; never by the clock alone, so that no page keeps a session of nobody alive. It
// works under any policy that lets it load: no inline style, no markup from text, nothing evaluated.

/* oxlint-disable unicorn/require-post-message-target-origin -- a BroadcastChannel is of one origin, and takes none */

(() => {
  type Session = {
    readonly email: string;
    /** Milliseconds since the epoch, by the server's clock. */
    readonly expiresAt: number;
    readonly logoutUrl: string;
  };
  type Reason = 'expired' | 'logged-out' | 'changed';
  type Part = {
    readonly text: string;
    readonly href?: string;
    readonly act?: () => void;
    readonly apart?: true;
  };

  const script = document.currentScript;
  const once = Symbol.for('svc-session');
  // One is enough, and a frame is its page's affair.
  if (script === null || once in window || window.top !== window) return;
  Object.defineProperty(window, once, { value: true });

  const { warnBefore, atEnd, redirectUrl } = script.dataset;
  const warnBeforeMs = durationOf(warnBefore ?? '') ?? 120_000;
  const channel = new BroadcastChannel('svc-session');
  let session: Session | null = null;
  let aheadMs = 0;
  let askedAt = 0;
  let isWarned = false;
  let hasEnded = false;
  let timer = 0;
  let dialog: HTMLDialogElement | null = null;

  const now = () => Date.now() + aheadMs;
  const leftMs = () => (session === null ? Infinity : session.expiresAt - now());

  async function look(): Promise<void> {
    askedAt = Date.now();
    try {
      const answer = await fetch('/.svc/session', {
        headers: { accept: 'application/json' },
        cache: 'no-store',
        redirect: 'error',
      });
      const date = Date.parse(answer.headers.get('date') ?? '');
      if (!Number.isNaN(date)) aheadMs = date - Date.now();
      if (answer.ok) learn(await answer.json());
      else if ((answer.status === 401 || answer.status === 403) && session !== null && !hasEnded)
        end(leftMs() <= END_MARGIN_MS ? 'expired' : 'logged-out');
    } catch {
      // Without the network the clock goes on.
    }
    plan();
  }

  function learn(told: {
    readonly email: string;
    readonly expires: string;
    readonly logout_url: string;
  }): void {
    const former = session;
    const next = { email: told.email, expiresAt: Date.parse(told.expires), logoutUrl: told.logout_url };
    if (former !== null && former.email !== next.email) {
      if (!hasEnded) end('changed');
      return;
    }
    session = next;
    if (former?.expiresAt === next.expiresAt) return;
    channel.postMessage(next.expiresAt);
    if (former === null) return;
    isWarned = false;
    hasEnded = false;
    close();
    tell('renewed');
  }

  function plan(): void {
    clearTimeout(timer);
    if (session === null || hasEnded) return;
    const dueMs = leftMs() - (isWarned || warnBeforeMs === 0 ? END_MARGIN_MS : warnBeforeMs);
    timer = setTimeout(tick, Math.min(Math.max(dueMs, 0), LONGEST_TIMER_MS));
  }

  function tick(): void {
    if (leftMs() <= END_MARGIN_MS) void finish();
    else {
      if (!isWarned && warnBeforeMs > 0 && leftMs() <= warnBeforeMs) warn();
      plan();
    }
  }

  /** Another tab may have logged in again without a word. */
  async function finish(): Promise<void> {
    await look();
    clearTimeout(timer);
    if (hasEnded) return;
    if (leftMs() <= END_MARGIN_MS) end('expired');
    else plan();
  }

  function warn(): void {
    isWarned = true;
    if (session === null || !tell('warning')) return;
    const time = new Date(session.expiresAt - aheadMs).toLocaleTimeString([], { timeStyle: 'short' });
    show('Your session ends soon', `You will be logged out at ${time}.`, [
      { text: 'Stay logged in', href: loginUrl(), apart: true },
      { text: 'Log out', href: logoutUrl() },
      { text: 'Close', act: close },
    ]);
  }

  function end(reason: Reason): void {
    hasEnded = true;
    clearTimeout(timer);
    channel.postMessage('look');
    if (!tell('ended', reason)) return close();
    const [title, text, action] = ENDINGS[reason];
    show(title, text, [{ text: action, act: () => location.reload() }], 'ended');
    if (reason === 'expired' && atEnd !== 'stay') location.assign(logoutUrl());
  }

  /** False when the page's own code says by `preventDefault()` that it sees to it. */
  function tell(what: 'warning' | 'ended' | 'renewed', reason: Reason | null = null): boolean {
    const expires = session === null ? null : new Date(session.expiresAt).toISOString();
    const detail = { expires, reason, loginUrl: loginUrl(), logoutUrl: logoutUrl() };
    return document.dispatchEvent(new CustomEvent(`svc-session-${what}`, { detail, cancelable: true }));
  }

  function loginUrl(): string {
    return `/.svc/login?return_to=${encodeURIComponent(location.pathname + location.search)}`;
  }

  function logoutUrl(): string {
    const url = session?.logoutUrl ?? '/.svc/logout';
    return redirectUrl === undefined ? url : `${url}?redirect_url=${encodeURIComponent(redirectUrl)}`;
  }

  function show(title: string, text: string, parts: readonly Part[], state = ''): void {
    close();
    const host = document.createElement('div');
    const root = host.attachShadow({ mode: 'open' });
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(STYLE);
    root.adoptedStyleSheets = [sheet];
    const shown = document.createElement('dialog');
    const [heading, words, row] = ['h2', 'p', 'div'].map((name) => document.createElement(name));
    if (heading === undefined || words === undefined || row === undefined) return;
    shown.className = state;
    shown.lang = 'en';
    shown.role = 'alertdialog';
    shown.ariaLabel = title;
    words.id = 'words';
    shown.setAttribute('aria-describedby', words.id);
    heading.textContent = title;
    words.textContent = text;
    row.append(...parts.map(control));
    shown.append(heading, words, row);
    // What has ended does not go away by a key; a warning does. Browsers keep a page from holding its
    // visitor: they let `cancel` be prevented only once in a row, so the key itself is.
    shown.addEventListener('cancel', (event) => {
      if (hasEnded) event.preventDefault();
    });
    shown.addEventListener('close', () => {
      if (dialog === shown && hasEnded) shown.showModal();
    });
    root.append(shown);
    document.documentElement.append(host);
    dialog = shown;
    shown.showModal();
  }

  function holdEscape(event: KeyboardEvent): void {
    if (event.key === 'Escape' && hasEnded && dialog !== null) event.preventDefault();
  }

  function control({ text, href, act, apart }: Part): HTMLElement {
    const element = document.createElement(href === undefined ? 'button' : 'a');
    element.textContent = text;
    if (element instanceof HTMLAnchorElement && href !== undefined) {
      element.href = href;
      if (apart === true) {
        element.target = '_blank';
        element.rel = 'noopener';
      }
    }
    if (act !== undefined) element.addEventListener('click', act);
    return element;
  }

  function close(): void {
    const host = dialog?.getRootNode();
    dialog = null;
    if (host instanceof ShadowRoot) host.host.remove();
  }

  /** `90s`, `2m`, `1h`; `0` for no warning. */
  function durationOf(text: string): number | null {
    const [, number, unit = 's'] = /^(\d{1,6})([smh])?$/.exec(text.trim()) ?? [];
    return number === undefined ? null : Number(number) * { s: 1_000, m: 60_000, h: 3_600_000 }[unit as 's'];
  }

  function start(): void {
    channel.addEventListener('message', ({ data }) => {
      if (data === 'look') for (const ms of LOOK_AFTER_MS) setTimeout(() => void look(), ms);
      else if (data !== session?.expiresAt) void look();
    });
    document.addEventListener('visibilitychange', () => {
      if (document.visibilityState === 'visible' && Date.now() - askedAt > REST_MS) void look();
    });
    addEventListener('pageshow', ({ persisted }) => {
      if (persisted) void look();
    });
    // A logout by a link of this page: the other tabs look whether it was one.
    document.addEventListener('click', ({ target }) => {
      const link = target instanceof Element ? target.closest('a') : null;
      if (link?.origin === location.origin && link.pathname === '/.svc/logout') channel.postMessage('look');
    });
    document.addEventListener('keydown', holdEscape, { capture: true });
    void look();
  }

  const ENDINGS: Readonly<Record<Reason, readonly [title: string, text: string, action: string]>> = {
    expired: ['Your session has ended', 'Log in again to continue.', 'Log in again'],
    'logged-out': [
      'You are logged out',
      'Your session was ended in another tab, by the identity provider or by an administrator.',
      'Log in again',
    ],
    changed: ['Someone else is logged in now', 'This page belongs to the previous login.', 'Reload'],
  };
  const STYLE = `
    :host { all: initial }
    dialog {
      box-sizing: border-box; width: min(26rem, calc(100vw - 2rem)); padding: 1.5rem; border: 1px solid GrayText;
      border-radius: 0.75rem; color-scheme: light dark; background: Canvas; color: CanvasText; font: 1rem/1.5 system-ui, sans-serif;
    }
    dialog::backdrop { background: rgb(0 0 0 / 0.6) }
    dialog.ended::backdrop { background: Canvas }
    h2 { margin: 0 0 0.5rem; font-size: 1.25rem; line-height: 1.3 }
    p { margin: 0 0 1.25rem }
    div { display: flex; flex-wrap: wrap; gap: 0.75rem }
    a, button {
      box-sizing: border-box; min-height: 2.75rem; padding: 0.55rem 1rem; border: 1px solid CanvasText; border-radius: 0.5rem;
      background: Canvas; color: CanvasText; font: inherit; text-decoration: none; cursor: pointer;
    }
    :is(a, button):first-child { background: CanvasText; color: Canvas }
    :is(a, button):focus-visible { outline: 3px solid Highlight; outline-offset: 2px }
  `;
  /** Logging out takes a moment, and is to be done while the session still says for which share. */
  const END_MARGIN_MS = 3_000;
  /** Longer waits are cut: a computer that slept should not wake up late. */
  const LONGEST_TIMER_MS = 60_000;
  /** Whoever switches between tabs asks once. */
  const REST_MS = 10_000;
  /** A logout elsewhere asks the provider before it is done. */
  const LOOK_AFTER_MS = [1_500, 6_000];

  const page = document as Document & { readonly prerendering?: boolean };
  // A page that is rendered ahead belongs to nobody yet.
  if (page.prerendering === true) page.addEventListener('prerenderingchange', start, { once: true });
  else start();
})();
