// What every address without a page of its own shows.

import { hrefTo, Link } from '../router.tsx';
import { PageHead } from './page-head.tsx';

export function NothingHere() {
  return (
    <>
      <PageHead
        title="There is nothing here"
        about="The address may be mistyped, or what it named may be gone."
      />
      <p>
        <Link className="button" href={hrefTo()}>
          To the first page
        </Link>
      </p>
    </>
  );
}
