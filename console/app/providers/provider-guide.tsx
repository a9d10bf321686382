// What to register at a provider, and where: one short list for each kind and preset, with the exact address
// to paste.

import type { ReactNode } from 'react';
import { definitionTypeOf, kindOfDefinition } from '../../../src/domain/provider-kinds.ts';
import { PRESET_IDS, PRESET_TYPE, type PresetId, presetOf } from '../../../src/domain/provider-presets.ts';
import type { ProviderType } from '../../../src/wire/provider.ts';
import { CopyText } from '../parts/copy-text.tsx';
import { MarkedText } from '../parts/marked-text.tsx';

type GuideProps = {
  readonly type: ProviderType;
  /** Null: any product. */
  readonly preset?: PresetId | null;
  readonly redirectUrl: string;
  /** False while the name that is a part of it is missing: then there is nothing to copy yet. */
  readonly isReady?: boolean;
};

export function ProviderGuide({ type, preset = null, redirectUrl, isReady = true }: GuideProps) {
  const address = isReady ? (
    <CopyText text={redirectUrl} label="the redirect URL" />
  ) : (
    <>
      <code className="soft">{redirectUrl}</code> <em>(choose the name first)</em>
    </>
  );
  if (preset !== null) return <PresetGuide preset={preset} address={address} />;
  return (
    <>
      <Steps steps={kindOfDefinition(type).register} address={address} />
      {type === definitionTypeOf(PRESET_TYPE) &&
        PRESET_IDS.map((id) => (
          <details key={id}>
            <summary>In {presetOf(id).title}</summary>
            <PresetGuide preset={id} address="the redirect URL." />
          </details>
        ))}
    </>
  );
}

function PresetGuide({ preset, address }: { readonly preset: PresetId; readonly address: ReactNode }) {
  const { issuer, register, claims } = presetOf(preset);
  return (
    <>
      <Steps steps={register} address={address} />
      <p className="soft">
        Issuer: <code>{issuer}</code>
      </p>
      {claims.map((claim) => (
        <p key={claim} className="soft">
          <MarkedText text={claim} />
        </p>
      ))}
    </>
  );
}

function Steps({ steps, address }: { readonly steps: readonly string[]; readonly address: ReactNode }) {
  return (
    <ol className="guide">
      {steps.map((step) => (
        <li key={step}>
          <MarkedText text={step} places={{ redirectUrl: address }} />
        </li>
      ))}
    </ol>
  );
}
