// The icon of a share: typed as letters or the name of a sign, or an image of the person's own.

import { useState } from 'react';
import { isAppImage } from '../../../src/domain/app-icon.ts';
import { IMAGE_TYPES } from '../../../src/domain/image-url.ts';
import { AppIcon } from '../parts/app-icon.tsx';
import type { FieldControl } from '../parts/field.tsx';

type IconFieldProps = {
  readonly control: FieldControl;
  readonly value: string;
  readonly change: (value: string) => void;
};

export function IconField({ control, value, change }: IconFieldProps) {
  const [trouble, setTrouble] = useState('');
  const isImage = isAppImage(value);
  const choose = async (file: File | undefined) => {
    if (file === undefined) return;
    const url = await dataUrlOf(file).catch(() => '');
    const fits = isAppImage(url);
    setTrouble(fits ? '' : 'Choose an SVG, PNG, JPEG or WebP image of at most 4 KiB.');
    if (fits) change(url);
  };
  return (
    <span className="icon-field">
      {isImage ? (
        <>
          <AppIcon icon={value} name="" />
          <button type="button" id={control.id} aria-label="Remove the image" onClick={() => change('')}>
            Remove the image
          </button>
        </>
      ) : (
        <>
          <input
            {...control}
            autoComplete="off"
            spellCheck={false}
            value={value}
            onChange={(event) => change(event.target.value)}
          />
          <input
            type="file"
            aria-label="Image for the icon"
            accept={ACCEPTED}
            onChange={(event) => void choose(event.target.files?.[0])}
          />
        </>
      )}
      <span role="alert">{trouble}</span>
    </span>
  );
}

function dataUrlOf(file: File): Promise<string> {
  return new Promise<string>((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener('load', () => resolve(String(reader.result)));
    reader.addEventListener('error', () => reject(new TypeError('Cannot read the image')));
    reader.readAsDataURL(file);
  });
}

const ACCEPTED = [...new Set(Object.values(IMAGE_TYPES))].join(',');
