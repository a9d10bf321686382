// Where a key store is installed, and how, on the device at hand or another.

export type Device = {
  readonly id: string;
  readonly name: string;
  /** Whether it takes key stores in the older form alone. */
  readonly older: boolean;
  /** One line each; `FILE` stands for the file's name. */
  readonly steps: readonly string[];
};

export const DEVICES: readonly Device[] = [
  {
    id: 'windows',
    name: 'Windows (Edge, Chrome)',
    older: false,
    steps: [
      'Open FILE from your downloads. The Certificate Import Wizard starts.',
      'Choose Current User, then Next twice.',
      'Enter the passphrase, then Next.',
      'Leave it to Windows to choose the store, then Next and Finish.',
      'Close the browser and open it again. It asks for the certificate when one is required.',
    ],
  },
  {
    id: 'macos',
    name: 'macOS (Safari, Chrome)',
    older: true,
    steps: [
      'Open FILE from your downloads. Keychain Access starts.',
      'Choose the login keychain, and type the passphrase.',
      'Close the browser and open it again. When it asks for the certificate, allow it to use the key.',
    ],
  },
  {
    id: 'ios',
    name: 'iPhone and iPad',
    older: true,
    steps: [
      'Open FILE in the Files app, under Downloads. It says that a profile was downloaded.',
      'Open Settings, and tap Profile Downloaded at the top (or General, VPN & Device Management).',
      'Tap Install, type the code of the device, then the passphrase.',
      'Open the address in Safari. It asks for the certificate when one is required.',
    ],
  },
  {
    id: 'android',
    name: 'Android',
    older: false,
    steps: [
      'Open Settings and search for “Install a certificate” (under Security, Encryption & credentials).',
      'Choose VPN & app user certificate, then FILE in your downloads.',
      'Type the passphrase, give it a name, and confirm.',
      'Open the address in Chrome. It asks for the certificate when one is required.',
    ],
  },
  {
    id: 'linux',
    name: 'Linux (Chrome, Chromium)',
    older: false,
    steps: [
      'Open chrome://certificate-manager in the address bar.',
      'Go to Your certificates, and press Import.',
      'Choose FILE from your downloads, and type the passphrase.',
    ],
  },
  {
    id: 'firefox',
    name: 'Firefox on a computer',
    older: false,
    steps: [
      'Open Settings, Privacy & Security, and go to Certificates.',
      'Press View Certificates, then Your Certificates, then Import.',
      'Choose FILE from your downloads, and type the passphrase.',
    ],
  },
];

/** The id of the device that this browser runs on, as far as it says. */
export function deviceAtHand(browser: {
  readonly userAgent: string;
  readonly maxTouchPoints: number;
}): string {
  const { userAgent, maxTouchPoints } = browser;
  // An iPad says that it is a Mac; no Mac has a touch screen.
  if (/iPhone|iPad|iPod/.test(userAgent) || (/Macintosh/.test(userAgent) && maxTouchPoints > 1)) return 'ios';
  if (/Android/.test(userAgent)) return 'android';
  // It keeps certificates of its own, wherever it runs.
  if (/Firefox\//.test(userAgent)) return 'firefox';
  if (/Windows/.test(userAgent)) return 'windows';
  return /Macintosh/.test(userAgent) ? 'macos' : 'linux';
}
