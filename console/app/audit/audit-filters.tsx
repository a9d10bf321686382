// The filters of the audit page. What is chosen stands in the address.

import { type ReactNode, useId, useState } from 'react';
import { FoldedFilters } from '../parts/folded-filters.tsx';
import { Icon } from '../parts/icons.tsx';
import { SavedViews } from '../parts/views/saved-views.tsx';
import { useQueryValue, useRouter } from '../router.tsx';
import { useMember } from '../shell/session-context.ts';
import { useTypedQueryValue } from '../parts/typed-query-value.ts';
import { groupValue, KIND_GROUPS, kindText } from '../parts/audit-text.ts';
import { RESULT_TITLES } from './result-badge.tsx';
import { BETWEEN, FILTERS, isFiltered, RANGES } from './audit-input.ts';
import type { Named, Names } from '../parts/use-names.ts';
import { ProviderName } from '../parts/provider-name.tsx';

export function AuditFilters({ names }: { readonly names: Names }) {
  const { place, go } = useRouter();
  const { account } = useMember();
  const [within] = useQueryValue('within');
  const [provider, setProvider] = useQueryValue('provider');
  // What is typed and not asked for yet goes with the rest.
  const [clearings, setClearings] = useState(0);
  const clear = () => {
    const query = new URLSearchParams(location.search);
    for (const name of FILTERS) query.delete(name);
    setClearings(clearings + 1);
    go(`${location.pathname}?${query}`, 'replace');
  };
  return (
    <div className="audit-filters" role="search" aria-label="Filter events">
      <TextFilter key={`text ${clearings}`} name="text" label="Search" placeholder="ann 192.0.2" />
      <FoldedFilters count={FOLDED.filter((name) => place.query.has(name)).length}>
        <KindFilter />
        <ResultFilter />
        <TextFilter key={`email ${clearings}`} name="email" label="Person" placeholder="ann@example.com" />
        <NameFilter name="share" label="Share" all="Any share" known={names.shares} />
        {names.actors.length > 0 && (
          <NameFilter name="actor" label="Actor" all="Anybody" known={names.actors} />
        )}
        <RangeFilter />
        {within === BETWEEN && <TimeFilter name="since" label="From" />}
        {within === BETWEEN && <TimeFilter name="until" label="Until" />}
        {provider !== '' && (
          <button type="button" className="audit-chip" onClick={() => setProvider('')}>
            Provider <ProviderName name={provider} /> <Icon name="close" />
            <span className="unseen">: remove this filter</span>
          </button>
        )}
      </FoldedFilters>
      <SavedViews account={account.id} list="audit" holds={FILTERS} />
      {isFiltered(place.query) && (
        <button type="button" className="quiet" onClick={clear}>
          Clear all
        </button>
      )}
    </div>
  );
}

/** On a phone; the words that are searched for are not. */
const FOLDED = FILTERS.filter((name) => name !== 'text');

type FilterProps = { readonly name: (typeof FILTERS)[number]; readonly label: string };

function KindFilter() {
  return (
    <SelectFilter name="kind" label="What">
      <option value="">Everything</option>
      {KIND_GROUPS.map(({ title, kinds }) => (
        <optgroup key={title} label={title}>
          <option value={groupValue(title)}>All of {title.toLowerCase()}</option>
          {kinds.map((each) => (
            <option key={each} value={each}>
              {kindText(each).title}
            </option>
          ))}
        </optgroup>
      ))}
    </SelectFilter>
  );
}

function ResultFilter() {
  return (
    <SelectFilter name="result" label="Result">
      <option value="">Any result</option>
      {Object.entries(RESULT_TITLES).map(([value, title]) => (
        <option key={value} value={value}>
          {title}
        </option>
      ))}
    </SelectFilter>
  );
}

function RangeFilter() {
  return (
    <SelectFilter name="within" label="When">
      <option value="">Any time</option>
      {RANGES.map(({ value, title }) => (
        <option key={value} value={value}>
          {title}
        </option>
      ))}
      <option value={BETWEEN}>Between two times</option>
    </SelectFilter>
  );
}

function TimeFilter({ name, label }: FilterProps) {
  const [value, setValue] = useQueryValue(name);
  return (
    <Labelled label={label}>
      {(id) => (
        <input
          id={id}
          type="datetime-local"
          value={value}
          onChange={(event) => setValue(event.target.value)}
        />
      )}
    </Labelled>
  );
}

function NameFilter({
  name,
  label,
  all,
  known,
}: FilterProps & { readonly all: string; readonly known: readonly Named[] }) {
  const [value] = useQueryValue(name);
  // An address may name what is gone by now, and shares by name, too.
  const stranger = value !== '' && !known.some(({ id }) => id === value);
  return (
    <SelectFilter name={name} label={label}>
      <option value="">{all}</option>
      {stranger && <option value={value}>{value}</option>}
      {known.map((each) => (
        <option key={each.id} value={each.id}>
          {each.name}
        </option>
      ))}
    </SelectFilter>
  );
}

function SelectFilter({ name, label, children }: FilterProps & { readonly children: ReactNode }) {
  const [value, setValue] = useQueryValue(name);
  return (
    <Labelled label={label}>
      {(id) => (
        <select id={id} value={value} onChange={(event) => setValue(event.target.value)}>
          {children}
        </select>
      )}
    </Labelled>
  );
}

function TextFilter({ name, label, placeholder }: FilterProps & { readonly placeholder: string }) {
  const [text, type] = useTypedQueryValue(name);
  return (
    <Labelled label={label}>
      {(id) => (
        <input
          id={id}
          type="search"
          placeholder={placeholder}
          value={text}
          onChange={(event) => type(event.target.value)}
        />
      )}
    </Labelled>
  );
}

function Labelled({
  label,
  children,
}: {
  readonly label: string;
  readonly children: (id: string) => ReactNode;
}) {
  const id = useId();
  return (
    <div className="audit-filter">
      <label htmlFor={id}>{label}</label>
      {children(id)}
    </div>
  );
}
