// What the settings of a share are called on the command line: by the commands themselves, and by whoever prints one.

export const SHARE_FLAGS = {
  name: '--name',
  provider: '--oauth-provider',
  pattern: '--oauth-email-address-pattern',
  interval: '--oauth-check-interval',
  origin: '--allow-origin',
  certificate: '--require-client-certificate',
  subject: '--certificate-subject',
  unit: '--certificate-unit',
  either: '--either',
  open: '--open',
} as const;
