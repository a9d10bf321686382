// What every address without a page of its own shows.

import { hrefTo, Link } from '../router.tsx';
import { PageHead } from './page-head.tsx';

export function NothingHere() {
  return (
    <>
      <PageHead
        title="Page not found"
        about="The address may be mistyped, or the page may have been deleted."
      />
      <p>
        <Link className="button" href={hrefTo()}>
          Back to the overview
        </Link>
      </p>
    </>
  );
}
