// What a person reads when something goes wrong: what happened, and what to do next, for each code of the
// table in `domain/service-error.ts`. Public texts: no address, no name of a part, nothing that an attacker
// learns from.

import type { FaultCode } from '../domain/service-error.ts';

export type FaultText = {
  readonly what: string;
  readonly next: string;
  /** What to do when it lasts. */
  readonly lasting?: string;
};

export const FAULT_TEXTS: Readonly<Record<FaultCode, FaultText>> = {
  bad_request: {
    what: 'Your browser sent an invalid request, which was not forwarded.',
    next: 'Go back and try again. If it keeps happening, try another browser or disable extensions.',
  },
  body_too_large: {
    what: 'Your request is larger than this address accepts.',
    next: 'Send something smaller, or send it in several parts.',
  },
  headers_too_large: {
    what: 'Your browser sent more headers than this address accepts. Old cookies are the most common cause.',
    next: 'Delete the cookies of this site and reload the page.',
  },
  address_too_long: {
    what: 'You need to log in, and this address is longer than the 16 KB that a login can keep.',
    next: 'Log in. Then open the address again.',
  },
  method_not_allowed: {
    what: 'This address exists, but it cannot be used in that way.',
    next: 'Open the address from the place where you found it.',
  },
  forward_auth_untrusted: {
    what: 'This address is for proxies that are configured for it, and yours is not.',
    next: 'Open the app at its own address. If you run the proxy, check its secret and its address.',
  },
  forward_auth_invalid: {
    what: 'The proxy in front of this app did not describe your request clearly, so access was denied.',
    next: 'Go back and try again. If it keeps happening, tell whoever runs the proxy.',
  },
  share_behind_proxy: {
    what: 'This app is reached through another proxy, and not through this one.',
    next: 'If you run the proxy, check where its address leads.',
  },
  share_not_behind: {
    what: 'The proxy in front of this app asked about an app that is not behind it.',
    next: 'If you run the proxy, check which app it is for.',
  },
  misdirected: {
    what: 'Your browser reused a connection that was opened for another address.',
    next: 'Reload the page. Your browser then opens a new connection.',
  },
  not_found: {
    what: 'There is no page at this address.',
    next: 'Check the address for typing errors, or go back.',
  },
  request_timeout: {
    what: 'The request did not arrive completely in time.',
    next: 'Check your connection and try again.',
  },
  share_unknown: {
    what: 'Nothing is published at this address. It may have been renamed or deleted, or the link is wrong.',
    next: 'Check the address, or ask the person who gave it to you.',
  },
  login_required: {
    what: 'This is only for people who are logged in.',
    next: 'Log in. You then return to this page.',
  },
  foreign_origin: {
    what: 'A page of another site tried to use your login here. The request was blocked.',
    next: 'If you want to visit this page, open the address in a new tab.',
  },
  looked_ahead: {
    what: 'Your browser requested a step of a login ahead of time. Nothing was changed.',
    next: 'Open the address yourself.',
  },
  ambiguous_path: {
    what: 'Other programs could read this address as another one, so the request was not passed on.',
    next: 'Open the page from its link, or write its address in the plainest way.',
  },
  rule_refused: {
    what: 'The owner of this address has not given you access.',
    next: 'Use another account if you have one, or ask the owner for access.',
  },
  email_refused: {
    what: 'You are logged in, but the owner does not allow your email address.',
    next: 'Use another account, or ask the owner for access.',
  },
  certificate_required: {
    what: 'This page requires a client certificate from its owner, and your browser or program sent none.',
    next: 'If you have one, install it and open the address in a new window. Otherwise, ask the owner for a certificate link.',
  },
  certificate_foreign: {
    what: 'Your client certificate was not issued by the owner of this address.',
    next: 'Close all browser windows and choose another certificate, or ask the owner for a certificate link.',
  },
  certificate_revoked: {
    what: 'Your certificate was revoked and no longer works.',
    next: 'Ask the owner for a link to a new one.',
  },
  certificate_not_yet_valid: {
    what: 'Your certificate is not valid yet.',
    next: 'Come back when it is valid, or ask the owner for a link to another one.',
  },
  certificate_expired: {
    what: 'Your certificate has expired.',
    next: 'Renew it, or ask the owner for a link to a new one.',
  },
  certificate_unfit: {
    what: 'Your certificate is not for client authentication.',
    next: 'Choose another certificate, or ask the owner for a certificate link.',
  },
  certificate_refused: {
    what: 'Your certificate is valid, but the owner does not allow its name or unit.',
    next: 'Choose another certificate, or ask the owner for access.',
  },
  provider_unusable: {
    what: 'This page requires a login, but its login is not set up. Nobody can access it at the moment.',
    next: 'Ask the owner to check the login settings. Until then, trying again does not help.',
  },
  recheck_unavailable: {
    what: 'Your login is checked regularly, and the login provider does not answer.',
    next: 'You are still logged in. Try again in a moment.',
  },
  backend_down: {
    what: 'You reached the right address, but the application behind it does not answer.',
    next: 'Try again in a moment.',
    lasting: 'If this continues, tell the owner that the application is down.',
  },
  backend_timeout: {
    what: 'The application behind this address took too long to answer.',
    next: 'Try again in a moment. If you sent something, first check whether it arrived.',
  },
  backend_refused: {
    what: 'The application behind this address is at a target that is not allowed.',
    next: 'Ask the owner to check the target of this address.',
  },
  agent_away: {
    what: 'The machine that runs this application is not connected at the moment.',
    next: 'Try again in a moment.',
    lasting: 'If this continues, ask the owner to start it.',
  },
  agent_busy: {
    what: 'The machine that runs this application is answering as many requests as it can.',
    next: 'Try again in a moment.',
  },
  share_unprotected: {
    what: 'The share requires neither a login nor a client certificate, so everyone can open it.',
    next: 'Choose a login provider, or confirm that everyone can open it.',
  },
  share_disabled: {
    what: 'The owner disabled this share.',
    next: 'Ask the owner to enable it.',
  },
  tunnel_held: {
    what: 'The agent already has a connection to this worker of the gateway.',
    next: 'Connect again: the next connection may reach another worker.',
  },
  loop_detected: {
    what: 'This address points back at itself, so the request would loop forever.',
    next: 'Ask the owner to check the target of this address.',
  },
  store_unavailable: {
    what: 'The service cannot read its database at the moment, so it denies access to be safe.',
    next: 'Try again in a moment.',
  },
  draining: {
    what: 'The service is restarting and takes no new requests.',
    next: 'Try again in a few seconds.',
  },
  provider_unknown: {
    what: 'No login with that name exists here.',
    next: 'Open the page that you wanted to see again, and log in from there.',
  },
  request_invalid: {
    what: 'This link is not from this service, or it was changed.',
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
    what: 'A login response arrived, but this browser has no such login in progress. The login is finished or was never started here, or cookies are turned off.',
    next: 'Open the page that you wanted to see. If this page appears again, allow cookies for this site.',
  },
  state_foreign: {
    what: 'A login response arrived for a login that was started in another browser or with another provider.',
    next: 'Open the page that you wanted to see again, and log in in this browser.',
  },
  state_expired: {
    what: 'The login took too long and has expired.',
    next: 'Open the page that you wanted to see again.',
  },
  state_left: {
    what: 'A browser can have only a few logins in progress, and this one was the oldest when more tabs started to log in.',
    next: 'Open the page that you wanted to see again. You may already be logged in.',
  },
  state_replayed: {
    what: 'A login can be completed only once, and this one was already completed. Going back or reloading can cause this.',
    next: 'Open the page that you wanted to see. You may already be logged in.',
  },
  access_denied: {
    what: 'The login was cancelled, or the provider does not allow you to use this application.',
    next: 'Try again, or ask the owner whether your account should have access.',
  },
  email_unusable: {
    what: 'The login requires an email address, and the provider sent none that can be used.',
    next: 'Set an email address at the provider or use another account, then log in again.',
  },
  email_unverified: {
    what: 'The provider says that your email address has not been verified yet.',
    next: 'Verify your address at the provider, then log in again.',
  },
  acr_unmet: {
    what: 'You are logged in at the provider, but this page requires a stronger login, such as a second factor or a passkey.',
    next: 'Log in again and choose the stronger way. If the provider offers none, tell the owner.',
  },
  login_too_old: {
    what: 'The provider does not confirm that you logged in recently, which is required here.',
    next: 'Log in at the provider again, with your password or passkey.',
  },
  account_unverified: {
    what: 'The provider allows logins only for accounts with a verified email address.',
    next: 'Verify your address in your account settings at the provider, then log in again.',
  },
  provider_permission_missing: {
    what: 'You are logged in at the provider, but it does not allow this service to read your email address.',
    next: 'Tell the owner. At GitHub, a GitHub App needs the account permission “Email addresses: read-only”, and an OAuth App the scope user:email.',
  },
  provider_token_too_large: {
    what: 'The provider sent a token of more than 128 KiB, usually because it lists hundreds of groups.',
    next: 'Tell the owner that the provider must put fewer groups or other claims into its tokens.',
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
    what: 'The login provider received more requests from this service than it allows.',
    next: 'Try again in a few minutes. If it keeps happening, tell the owner.',
  },
  subject_changed: {
    what: 'The provider now reports a different person than the one who started this session.',
    next: 'Open the page again, and log in with the right account.',
  },
  provider_error: {
    what: 'The login provider sent a response that cannot be trusted, so the login was stopped.',
    next: 'Try again. If it keeps happening, tell the owner the request id below.',
  },
  provider_unreachable: {
    what: 'The login provider does not answer at the moment.',
    next: 'Try again in a moment.',
  },
  redirect_refused: {
    what: 'The link redirects to an address that this service does not allow.',
    next: 'Nothing was changed. Go back, and tell the person who created the link.',
  },
  access_ended: {
    what: 'An admin ended your sessions while you were logging in, so this login does not count.',
    next: 'Open the page again to log in, or ask the owner whether you still have access.',
  },
  login_loop: {
    what: 'You were logged in several times within seconds, and your login was not kept. Common causes are blocked cookies and a wrong clock.',
    next: 'Allow cookies for this site, wait half a minute, and open the page again.',
  },
  rate_limited: {
    what: 'There were too many requests from your address in a short time.',
    next: 'Wait a little, then try again.',
  },
  usage: {
    what: 'The command was not understood.',
    next: 'See its help for the available options.',
  },
  cancelled: {
    what: 'The command was not confirmed.',
    next: 'Run the command again. --yes skips the question.',
  },
  config_invalid: {
    what: 'The service is not set up correctly.',
    next: 'Its operator can run the configuration check to see what is wrong.',
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
  account_changed: {
    what: 'This browser changed to another account, and the page is of the one before. Nothing was changed.',
    next: 'Load the page again, or change back to its account.',
  },
  account_unknown: {
    what: 'No account with that name exists here.',
    next: 'Check the name for typing errors.',
  },
  member_unknown: {
    what: 'Your account has no such member.',
    next: 'Check the list of members.',
  },
  member_exists: {
    what: 'That email address already belongs to a member of the account.',
    next: 'Check the list of members. There you can create a new invitation.',
  },
  last_admin: {
    what: 'Without this member the account would have no active admin.',
    next: 'First make someone else an admin, and have them log in once.',
  },
  invitation_invalid: {
    what: 'The invitation was already used, has expired, or was replaced by a newer one.',
    next: 'If you have already accepted it, log in without it. Otherwise, ask for a new one.',
  },
  provider_unfit: {
    what: 'Members log in only with providers that verify email addresses, and this one does not.',
    next: 'Use another provider, or ask an administrator to make this one require verified addresses.',
  },
  not_a_member: {
    what: 'You are logged in, but this login is not a member of an account, and it has no sessions or certificates here.',
    next: 'Use the address and the provider that you were invited with, or ask an administrator to invite you.',
  },
  api_key_unknown: {
    what: 'Your account has no such API key.',
    next: 'Check the list of API keys.',
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
    next: 'Check the list of service tokens.',
  },
  access_request_unknown: {
    what: 'Your account has no such request for access.',
    next: 'Check the list of requests for access.',
  },
  access_request_decided: {
    what: 'Someone already granted or dismissed this request.',
    next: 'Check the rules of the share.',
  },
  device_login_unknown: {
    what: 'No device is waiting to be logged in with this code.',
    next: 'Enter the code as the device shows it. A code is valid for ten minutes and one login.',
  },
  session_unknown: {
    what: 'No session has that id, or it ended long ago.',
    next: 'List the sessions, and take the id from there.',
  },
  webhook_unknown: {
    what: 'No webhook has that id.',
    next: 'List the webhooks, and take the id from there.',
  },
  delivery_unknown: {
    what: 'No delivery in the log of the webhook has that id. The log has the last 100 deliveries, for seven days.',
    next: 'List the deliveries of the webhook, and take the id from there.',
  },
  limit_reached: {
    what: 'The account has reached its limit.',
    next: 'Delete what you no longer need, or ask the operator to raise the limit.',
  },
  rules_too_large: {
    what: 'The rules of all shares of the account are too large together.',
    next: 'Remove rules that no share needs any more, or name groups in place of people.',
  },
  too_many_webhooks: {
    what: 'Your account has reached its limit of webhooks.',
    next: 'Delete one that you no longer need, then try again.',
  },
  host_unknown: {
    what: 'Your account has no such host.',
    next: 'Check the list of hosts.',
  },
  host_taken: {
    what: 'A share already has that host.',
    next: 'Delete it there first. If another account has it but you own it, ask the operator of the service.',
  },
  host_unproved: {
    what: 'No DNS record proves yet that the host is yours.',
    next: 'Create the record that is shown with the host, wait until it has propagated, and try again.',
  },
  host_refused: {
    what: 'A share cannot answer at that host.',
    next: 'Use a host name that you own, in lower case.',
  },
  host_outside_cookie_domain: {
    what: 'Over plain HTTP, a login is kept in a cookie that browsers do not send to this host.',
    next: 'Serve shares over https, use a host within the cookie domain of the service, or a share without a login.',
  },
  too_many_hosts: {
    what: 'The share has reached its limit of custom hosts.',
    next: 'Delete one that you no longer need, then try again.',
  },
  account_exists: {
    what: 'An account with that name already exists.',
    next: 'Choose another name.',
  },
  name_taken: {
    what: 'That name is already in use, or once belonged to someone else.',
    next: 'Choose another name.',
  },
  provider_in_use: {
    what: 'Shares use that provider.',
    next: 'Set another provider for those shares, or delete them, then try again.',
  },
  name_reserved: {
    what: 'The service uses that name itself.',
    next: 'Choose another name.',
  },
  validation_failed: {
    what: 'Some fields are missing or not valid.',
    next: 'Correct the input and send it again.',
  },
  needs_tls: {
    what: 'The gateway does not terminate TLS, so it never sees the certificates of visitors.',
    next: 'Terminate TLS at the gateway (`tls` in the configuration), or require a login instead.',
  },
  target_refused: {
    what: 'The service is not allowed to reach that target.',
    next: 'Use another target, or ask the operator of the service to allow it.',
  },
  certificate_unknown: {
    what: 'This account has no such certificate.',
    next: 'List the certificates, and use an id, serial number or fingerprint from there.',
  },
  token_unknown: {
    what: 'This token is unknown or was deleted, or its creator can no longer create tokens.',
    next: 'Copy the whole token, which begins with crt_. If that fails, ask the sender for a new one.',
  },
  token_used: {
    what: 'A token is valid for one certificate, and this one was already used.',
    next: 'If you did not use it, tell the sender at once. Otherwise, ask for a new one.',
  },
  token_expired: {
    what: 'This token has expired.',
    next: 'Ask the sender for a new one.',
  },
  renewal_refused: {
    what: 'This certificate cannot be renewed with a login: it does not expire soon, was already renewed, or has ended.',
    next: 'Ask the person who gave it to you for a link to a new one.',
  },
  csr_refused: {
    what: 'The certificate request cannot be signed. The token is still valid.',
    next: 'Create a new key and request as the error says, and send the request again.',
  },
  policy_violation: {
    what: 'The certificate policy of the account limits what its certificates can contain and how long they are valid.',
    next: 'Change the input, or ask an admin of the account to change the policy.',
  },
  insecure_channel: {
    what: 'Keys, tokens and certificates require an encrypted connection, and this one is not encrypted.',
    next: 'Ask the operator to serve the control plane over https.',
  },
  precondition_failed: {
    what: 'Someone else changed it after you read it.',
    next: 'Read it again, then repeat your change.',
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
    what: 'Another process already uses the same database, and two would damage it.',
    next: 'Stop the other one, or use another database.',
  },
  store_unusable: {
    what: 'The database exists, but it cannot be opened.',
    next: 'Read the message. If the file is damaged, restore a backup.',
  },
  backup_unusable: {
    what: 'The file is not a backup, or it is damaged. Nothing was restored.',
    next: 'Use another backup, or copy this one again from its source.',
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
    what: 'The service had an internal error, which was logged. Your request was not forwarded.',
    next: 'Try again in a moment. If it keeps happening, tell the owner the request id below.',
  },
};
