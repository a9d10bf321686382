// Patterns, origins and the like, one a line.

export function CodeList({ items }: { readonly items: readonly string[] }) {
  return (
    <ul className="code-list">
      {items.map((item) => (
        <li key={item}>
          <code>{item}</code>
        </li>
      ))}
    </ul>
  );
}
