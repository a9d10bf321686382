// From a list that shows some of what a person has to the list that shows all of it.

import { hrefTo, Link } from '../router.tsx';

type AllOfPersonProps = {
  readonly area: 'sessions' | 'certificates';
  /** Of the filter in the address. */
  readonly name: string;
  readonly email: string;
  readonly what: string;
};

export function AllOfPerson({ area, name, email, what }: AllOfPersonProps) {
  return <Link href={`${hrefTo(area)}?${new URLSearchParams({ [name]: email })}`}>All their {what}</Link>;
}
