// What a person reads when something goes wrong: what happened, and what to do next, for each code of the
// table in `domain/service-error.ts`. Public texts: no address, no name of a part, nothing that an attacker
// learns from.

import type { FaultCode } from '../domain/service-error.ts';

export type FaultText = { readonly what: string; readonly next: string };

export const FAULT_TEXTS: Readonly<Record<FaultCode, FaultText>> = {
  bad_request: {
    what: 'Your browser sent something that does not follow the rules of the web, so it was not passed on.',
    next: 'Go back and try again. If it keeps happening, try another browser or leave out extensions.',
  },
  body_too_large: {
    what: 'What you sent is larger than this address accepts.',
    next: 'Send something smaller, or send it in several parts.',
  },
  headers_too_large: {
    what: 'Your browser sent more headers than this address accepts. Most often these are old cookies.',
    next: 'Delete the cookies of this site and load the page again.',
  },
  address_too_long: {
    what: 'You need to log in here, and this address is longer than the 16 KB that can be kept during a login.',
    next: 'Log in. Then open the address again.',
  },
  method_not_allowed: {
    what: 'This address exists, but it cannot be used in that way.',
    next: 'Open the address from the place where you found it.',
  },
  misdirected: {
    what: 'Your browser reused a connection that was opened for another address.',
    next: 'Load the page again. Your browser will open a connection of its own.',
  },
  not_found: {
    what: 'No page lives at this address.',
    next: 'Check the address for a slip, or go back to where you came from.',
  },
  request_timeout: {
    what: 'The request did not arrive completely in time.',
    next: 'Check your connection and try again.',
  },
  share_unknown: {
    what: 'Nothing is published at this address. It may have been renamed or taken down, or the link has a slip.',
    next: 'Check the address, or ask the person who gave it to you.',
  },
  login_required: {
    what: 'This is only for people who are logged in.',
    next: 'Log in, and you will come back here.',
  },
  foreign_origin: {
    what: 'A page of another site tried to use your login here. It was stopped, and nothing was passed on.',
    next: 'If you meant to come here, open the address yourself in a new tab.',
  },
  looked_ahead: {
    what: 'Your browser asked for a step of a login before you did. Nothing was done.',
    next: 'Open the address yourself.',
  },
  email_refused: {
    what: 'You are logged in, but the owner has not opened this to your address.',
    next: 'Use another account if you have one, or ask the owner to let you in.',
  },
  certificate_required: {
    what: 'This is only for those who hold a certificate of its owner, and your browser or program showed none.',
    next: 'If you have one, install it and open the address in a new window. If not, ask the owner for a link that gives you one.',
  },
  certificate_foreign: {
    what: 'A certificate was shown, but it was not issued by the owner of this address.',
    next: 'Close all windows of the browser and choose another certificate, or ask the owner for a link that gives you one.',
  },
  certificate_revoked: {
    what: 'Your certificate was revoked and no longer works.',
    next: 'Ask the owner why, or for a link that gives you a new one.',
  },
  certificate_not_yet_valid: {
    what: 'The time from which your certificate is valid has not come yet.',
    next: 'Come back then, or ask the owner for a link that gives you another.',
  },
  certificate_expired: {
    what: 'Your certificate has expired.',
    next: 'Renew it, or ask the owner for a link that gives you a new one.',
  },
  certificate_unfit: {
    what: 'Your certificate says that it is for something else than showing who you are.',
    next: 'Choose another certificate, or ask the owner for a link that gives you one.',
  },
  certificate_refused: {
    what: 'Your certificate is good, but the owner has not opened this to the name or unit that it is for.',
    next: 'Choose another certificate if you have one, or ask the owner to let you in.',
  },
  provider_unusable: {
    what: 'This is protected by a login, but its login is not set up at the moment, so nobody is let in.',
    next: 'Ask the owner to look at the login settings. Trying again will not help until they do.',
  },
  recheck_unavailable: {
    what: 'Every now and then your login is checked again. The place that checks it does not answer.',
    next: 'You are still logged in. Try again in a moment.',
  },
  backend_down: {
    what: 'You reached the right address, but the application behind it does not answer.',
    next: 'Try again in a moment. If it stays like this, tell the owner that the application is down.',
  },
  backend_timeout: {
    what: 'The application behind this address took too long to answer.',
    next: 'Try again in a moment. If you sent something, look first whether it arrived.',
  },
  backend_refused: {
    what: 'The application of this address lies somewhere that may not be reached from here.',
    next: 'Ask the owner to look at where this address points.',
  },
  agent_away: {
    what: 'The machine that runs this application is not connected at the moment.',
    next: 'Try again in a moment. If it stays like this, ask the owner to start it.',
  },
  agent_busy: {
    what: 'The machine that runs this application answers as many requests at once as it can.',
    next: 'Try again in a moment.',
  },
  share_unprotected: {
    what: 'The share asks for neither a login nor a client certificate, so everyone could open it.',
    next: 'Choose a login provider, or confirm that everyone may open it.',
  },
  share_disabled: {
    what: 'The owner switched this share off.',
    next: 'Ask the owner to enable it.',
  },
  tunnel_held: {
    what: 'The agent has a connection to this worker of the gateway.',
    next: 'Connect again: the next connection may reach another worker.',
  },
  loop_detected: {
    what: 'This address points back at itself, so the request would loop forever.',
    next: 'Ask the owner to look at where this address points.',
  },
  store_unavailable: {
    what: 'The service cannot read its records at the moment, so it lets nobody in to be safe.',
    next: 'Try again in a moment.',
  },
  draining: {
    what: 'The service is restarting and takes no new requests.',
    next: 'Try again in a few seconds.',
  },
  provider_unknown: {
    what: 'No login of that name exists here.',
    next: 'Open the page that you wanted to see again, and log in from there.',
  },
  request_invalid: {
    what: 'This link was not made here, or it was changed on the way.',
    next: 'Open the page that you wanted to see again, and log in from there.',
  },
  address_lost: {
    what: 'You are back from the login, but your browser no longer has all of the long address that you opened.',
    next: 'Open that address again, or continue with what is left of it.',
  },
  request_expired: {
    what: 'Login links are valid only for a short time, and this one has expired.',
    next: 'Open the page that you wanted to see again, and log in from there.',
  },
  state_missing: {
    what: 'The answer of a login arrived, but this browser has no such login under way: it is finished, or was never started here. Cookies may also be turned off.',
    next: 'Open the page that you wanted to see. If you come here again, allow cookies for this site.',
  },
  state_foreign: {
    what: 'The answer of a login arrived that was started in another browser or at another provider.',
    next: 'Open the page that you wanted to see again, and log in in this browser.',
  },
  state_expired: {
    what: 'The login was started too long ago, so its answer no longer counts.',
    next: 'Open the page that you wanted to see again. It goes faster the second time.',
  },
  state_left: {
    what: 'This browser keeps a few logins open at once, and this one was the oldest when more tabs began to log in.',
    next: 'Open the page that you wanted to see again. You may be logged in already.',
  },
  state_replayed: {
    what: 'Each login can be completed once, and this one already was. Going back or reloading can cause this.',
    next: 'Open the page that you wanted to see. You may be logged in already.',
  },
  access_denied: {
    what: 'The login was cancelled, or the provider does not allow you to use this application.',
    next: 'Try again, or ask the owner whether your account should have access.',
  },
  email_unusable: {
    what: 'To let you in, an email address is needed, and the provider gave none that can be used.',
    next: 'Set an email address at the provider or use another account, then log in again.',
  },
  email_unverified: {
    what: 'The provider says that your email address has not been verified yet.',
    next: 'Verify your address at the provider, then log in again.',
  },
  account_unverified: {
    what: 'The provider lets nobody log in elsewhere before an email address of their account there is verified.',
    next: 'Verify your address in your account settings at the provider, then log in again.',
  },
  provider_permission_missing: {
    what: 'You are logged in at the provider, but this service may not read your email address there.',
    next: 'Tell the owner. At GitHub, a GitHub App needs the account permission “Email addresses: read-only”, and an OAuth App the scope user:email.',
  },
  provider_token_too_large: {
    what: 'The provider sent a token of more than 128 KiB, most often because it lists hundreds of groups.',
    next: 'Tell the owner: the provider has to put fewer groups, or other claims, into its tokens.',
  },
  too_many_groups: {
    what: 'The provider says that you are in more than 1,000 groups, or in one whose name is longer than 256 characters.',
    next: 'Tell the owner: the provider has to send fewer groups, such as only those assigned to this application.',
  },
  groups_unreadable: {
    what: 'You are logged in at the provider, but this service may not read your groups there.',
    next: 'Tell the owner. The log says which permission is missing at the provider.',
  },
  provider_rate_limited: {
    what: 'The place where you log in gets more requests from here than it allows.',
    next: 'Try again in a few minutes. If it keeps happening, tell the owner.',
  },
  subject_changed: {
    what: 'The provider now says that somebody else is logged in than the person who started this session.',
    next: 'Open the page again, and log in as who you want to be here.',
  },
  provider_error: {
    what: 'The place where you log in answered in a way that cannot be trusted, so the login was stopped.',
    next: 'Try again. If it keeps happening, tell the owner the request id below.',
  },
  provider_unreachable: {
    what: 'The place where you log in does not answer at the moment.',
    next: 'Try again in a moment.',
  },
  redirect_refused: {
    what: 'The link asks to send you on to an address that is not on the list for this service.',
    next: 'Nothing was changed. Go back, and tell whoever made the link.',
  },
  login_loop: {
    what: 'You were logged in several times within seconds and sent back each time. Something does not keep your login, often cookies that are blocked or a wrong clock.',
    next: 'Allow cookies for this site, wait half a minute, and open the page again.',
  },
  rate_limited: {
    what: 'There were too many requests from your address in a short time.',
    next: 'Wait a little, then try again.',
  },
  usage: {
    what: 'The command was not understood.',
    next: 'Look at its help for the options that it takes.',
  },
  cancelled: {
    what: 'The question of the command was not answered with yes.',
    next: 'Run the command again; --yes skips the question.',
  },
  config_invalid: {
    what: 'The service is not set up correctly.',
    next: 'Whoever runs it can see what is wrong with the configuration check.',
  },
  api_key_missing: {
    what: 'This part of the service is for programs and administrators with an API key.',
    next: 'Send the key as a bearer token.',
  },
  api_key_invalid: {
    what: 'The API key is unknown, was deleted, or belongs to a suspended account.',
    next: 'Check the key, or ask an administrator for a new one.',
  },
  not_allowed: {
    what: 'Your account does not have the right to do that.',
    next: 'Ask an administrator of your account.',
  },
  account_unknown: {
    what: 'No account of that name exists here.',
    next: 'Check the name for a slip.',
  },
  member_unknown: {
    what: 'Your account has no such member.',
    next: 'Look at the list of members.',
  },
  member_exists: {
    what: 'That address belongs to a member of the account already.',
    next: 'Look at the list of members; you can create a new invitation.',
  },
  last_admin: {
    what: 'Without this member the account would have no active admin.',
    next: 'Make somebody else an admin first, and let them log in once.',
  },
  invitation_invalid: {
    what: 'The invitation was already used, has expired, or was replaced by a newer one.',
    next: 'If you have accepted it before, log in without it. Otherwise ask for a new one.',
  },
  provider_unfit: {
    what: 'Members log in only with providers that verify email addresses, and this one does not.',
    next: 'Use another provider, or ask an administrator to make this one require verified addresses.',
  },
  not_a_member: {
    what: 'You are logged in, but no account here has a member with this login, and nothing here is yours to look after.',
    next: 'Use the address and the provider that you were invited with, or ask an administrator to invite you.',
  },
  api_key_unknown: {
    what: 'Your account has no such API key.',
    next: 'Look at the list of API keys.',
  },
  service_token_invalid: {
    what: 'The service token is unknown, expired or deleted, or is not for this address.',
    next: 'Send one token, in one header. An administrator can create another.',
  },
  service_token_refused: {
    what: 'The service token is valid, but no rule of this address lets it in.',
    next: 'Ask an administrator to add a rule for it.',
  },
  service_token_unknown: {
    what: 'Your account has no such service token.',
    next: 'Look at the list of service tokens.',
  },
  device_login_unknown: {
    what: 'No device that waits to be logged in shows this code.',
    next: 'Type the code as the device shows it. It is valid for ten minutes, and once.',
  },
  session_unknown: {
    what: 'There is no session of that id, or it ended long ago.',
    next: 'List the sessions, and take the id from there.',
  },
  webhook_unknown: {
    what: 'There is no webhook of that id.',
    next: 'List the webhooks, and take the id from there.',
  },
  limit_reached: {
    what: 'This account has as many of these as it may have.',
    next: 'Delete what is no longer needed, or ask the operator to raise the limit.',
  },
  too_many_webhooks: {
    what: 'Your account has as many webhooks as it may have.',
    next: 'Delete one that is no longer needed, then try again.',
  },
  host_unknown: {
    what: 'Your account has no such host.',
    next: 'Look at the list of hosts.',
  },
  host_taken: {
    what: 'A share has that host already.',
    next: 'Delete it there first. If it is another account’s and yours by right, ask whoever runs the service.',
  },
  host_unproved: {
    what: 'Nothing in the DNS says yet that the host is yours.',
    next: 'Make the record that is shown with the host, wait until it is known, and try again.',
  },
  host_refused: {
    what: 'A share cannot answer at that host.',
    next: 'Give a host name of your own, in lower case.',
  },
  host_outside_cookie_domain: {
    what: 'Over plain HTTP, a login is kept in a cookie that browsers do not send to this host.',
    next: 'Serve shares over https, use a host within the cookie domain of the service, or a share without a login.',
  },
  too_many_hosts: {
    what: 'The share has as many hosts of its own as it may have.',
    next: 'Delete one that is no longer needed, then try again.',
  },
  account_exists: {
    what: 'There already is an account of that name.',
    next: 'Choose another name.',
  },
  name_taken: {
    what: 'That name is already in use, or once belonged to someone else.',
    next: 'Choose another name.',
  },
  provider_in_use: {
    what: 'Shares log people in with that provider.',
    next: 'Give those shares another provider, or delete them, then try again.',
  },
  name_reserved: {
    what: 'The service needs that name for itself.',
    next: 'Choose another name.',
  },
  validation_failed: {
    what: 'Some of what was sent is missing or has the wrong form.',
    next: 'Correct it and send it again.',
  },
  needs_tls: {
    what: 'The gateway does not end TLS itself, so it never sees the certificates of visitors.',
    next: 'Let the gateway end TLS (`tls` in the configuration), or ask for a login instead.',
  },
  target_refused: {
    what: 'The service is not allowed to reach that target.',
    next: 'Use another target, or ask whoever runs the service to allow it.',
  },
  certificate_unknown: {
    what: 'This account has no such certificate.',
    next: 'List the certificates, and name one by its id, serial number or fingerprint.',
  },
  token_unknown: {
    what: 'This is no token that is good for a certificate here, it was taken back, or whoever made it may not make any more.',
    next: 'Copy it whole: it begins with crt_. If it is whole, ask the person who sent it for a new one.',
  },
  token_used: {
    what: 'A token is valid for one certificate, and this one was used.',
    next: 'If it was not you, tell the person who sent it at once. Otherwise ask for a new one.',
  },
  token_expired: {
    what: 'This token was not used in time.',
    next: 'Ask the person who sent it for a new one.',
  },
  renewal_refused: {
    what: 'This certificate cannot be renewed by logging in: it is not near its end yet, was renewed already, or is over.',
    next: 'Ask whoever gave it to you for a link to a new one.',
  },
  csr_refused: {
    what: 'The certificate request cannot be signed as it is. The token is still good.',
    next: 'Make a new key and request as the page or the reason says, and send it again.',
  },
  policy_violation: {
    what: 'The account has rules for what its certificates may say and how long they last.',
    next: 'Change the input, or ask an admin of the account to change the rules.',
  },
  insecure_channel: {
    what: 'Keys, tokens and certificates go over encrypted connections alone, and this one is not.',
    next: 'Ask the operator to serve the control plane over https.',
  },
  precondition_failed: {
    what: 'Somebody else changed it after you read it.',
    next: 'Read it again, then make your change once more.',
  },
  unsupported_media_type: {
    what: 'The content was not sent as JSON.',
    next: 'Send it with the content type application/json.',
  },
  control_unreachable: {
    what: 'The control API does not answer.',
    next: 'Check that the service is running and that the address is right.',
  },
  gateway_unreachable: {
    what: 'The gateway does not answer.',
    next: 'Check the address, and whether the gateway is running.',
  },
  store_in_use: {
    what: 'Another process already serves from the same records, and two at once would spoil them.',
    next: 'Stop the other one, or give this one records of its own.',
  },
  store_unusable: {
    what: 'The records exist, but they cannot be opened.',
    next: 'Look at the message, and bring back a backup if the file is damaged.',
  },
  backup_unusable: {
    what: 'The file is no backup, or it is damaged, so nothing was restored from it.',
    next: 'Use another backup, or copy this one again from where it was made.',
  },
  address_in_use: {
    what: 'Another program already listens on that address.',
    next: 'Stop it, or choose another port.',
  },
  not_installed: {
    what: 'A part of the program that this needs is not installed.',
    next: 'Install it as the message says, and try again.',
  },
  internal: {
    what: 'The service met a fault of its own. It was written down, and nothing of yours was passed on.',
    next: 'Try again in a moment. If it keeps happening, tell the owner the request id below.',
  },
};
