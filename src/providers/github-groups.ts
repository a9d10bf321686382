// Groups of a person at GitHub: `org` for each organization that they are an active member of, and
// `org/team-slug` for each of its teams that they are in. An invitation that is pending makes no member.

import { ServiceError } from '../domain/service-error.ts';
import { MAX_GROUPS, tooManyGroups } from './claimed-values.ts';
import { readApiAnswer } from './github-answer.ts';
import type { Claims } from './provider-values.ts';

export type AskApi = (path: string) => Promise<Response>;

/**
 * Throws `groups_unreadable` when a permission is missing, `too_many_groups`, and what any call may throw.
 * Names are in lower case, as GitHub compares them.
 */
export async function readGitHubGroups(action: string, api: AskApi): Promise<readonly string[]> {
  const memberships = await allPages(action, api, '/user/memberships/orgs?state=active');
  const organizations = new Set(memberships.filter(isActive).map((each) => nameIn(action, each, 'login')));
  const teams = organizations.size === 0 ? [] : await allPages(action, api, '/user/teams');
  const ofTeams = teams.flatMap((team) => {
    const organization = nameIn(action, team, 'login');
    // Of one where the membership is not active it counts no more than that.
    return organizations.has(organization) ? [`${organization}/${slugOf(action, team)}`] : [];
  });
  const groups = [...new Set([...organizations, ...ofTeams])];
  if (groups.length > MAX_GROUPS) throw tooManyGroups(`there are ${groups.length}`);
  return groups;
}

function isActive(membership: Claims): boolean {
  return membership['state'] === 'active';
}

async function allPages(action: string, api: AskApi, path: string): Promise<readonly Claims[]> {
  const found: Claims[] = [];
  const separator = path.includes('?') ? '&' : '?';
  for (let page = 1; page <= MAX_PAGES; page++) {
    const response = await api(`${path}${separator}per_page=${PER_PAGE}&page=${page}`);
    const all = await readPermitted(action, response);
    if (!Array.isArray(all)) throw unusable(action, 'the answer is no list');
    found.push(...all.map(asRecord));
    if (!hasNext(response)) return found;
  }
  throw tooManyGroups('there are more than 1,000');
}

/** RFC 8288. Where the next page is, is known without it. */
function hasNext({ headers }: Response): boolean {
  return /<[^<>]*>\s*;[^<,]*\brel="?next\b/.test(headers.get('link') ?? '');
}

async function readPermitted(action: string, response: Response): Promise<unknown> {
  try {
    return await readApiAnswer(action, response);
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== 'provider_permission_missing') throw error;
    throw new ServiceError('groups_unreadable', `Cannot ${action}: a permission is missing`, {
      cause: error,
      hint: 'OAuth Apps need the scope "read:org", and the approval of organizations that restrict apps; GitHub Apps need the organization permission "Members: read-only".',
    });
  }
}

function nameIn(action: string, value: Claims, member: string): string {
  return nameOf(action, asRecord(value['organization'])[member]);
}

function slugOf(action: string, team: Claims): string {
  return nameOf(action, team['slug']);
}

function nameOf(action: string, name: unknown): string {
  if (typeof name === 'string' && NAME.test(name)) return name.toLowerCase();
  throw unusable(action, 'an organization or team has no name');
}

function unusable(action: string, found: string): ServiceError {
  return new ServiceError('provider_error', `Cannot ${action}: ${found}`);
}

function asRecord(value: unknown): Claims {
  return typeof value === 'object' && value !== null ? (value as Claims) : {};
}

/** Of logins and slugs; they are in addresses there. */
const NAME = /^[\w.-]{1,100}$/;
/** What the API gives at most at once. */
const PER_PAGE = 100;
/** More is too many in any case. */
const MAX_PAGES = 10;
