// The choice between light, dark, and what the system says.

import { useId, useState } from 'react';
import { chooseTheme, chosenTheme, THEMES } from './theme.ts';

export function Themes() {
  const name = useId();
  const [chosen, setChosen] = useState(chosenTheme);
  return (
    <fieldset className="themes">
      <legend>Colors</legend>
      {THEMES.map(({ theme, title }) => (
        <label key={theme}>
          <input
            type="radio"
            name={name}
            checked={theme === chosen}
            onChange={() => {
              setChosen(theme);
              chooseTheme(theme);
            }}
          />
          {title}
        </label>
      ))}
    </fieldset>
  );
}
