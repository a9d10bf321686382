// A picture over time in its place, loaded when it is first shown. It is for the eye: who uses it says the
// same in a table.

import { lazy, Suspense } from 'react';
import type { Picture } from './picture.ts';
import './chart.css';

const Chart = lazy(() => import('./chart.tsx'));

/** `empty`: what to say where there is nothing. */
export function Plot({ picture, empty }: { readonly picture: Picture; readonly empty: string | null }) {
  return (
    <div className="chart-plot" aria-hidden="true">
      <Suspense fallback={<div aria-busy="true" />}>
        <Chart picture={picture} />
      </Suspense>
      {empty !== null && (
        <p>
          <span>{empty}</span>
        </p>
      )}
    </div>
  );
}
