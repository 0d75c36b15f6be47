import { UnstyledButton } from '@mantine/core';
import type { ShownProof } from '@pdf2press/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ShortcutSheet } from '../frame/shortcut-sheet.tsx';
import { useShortcuts } from '../frame/shortcuts.ts';
import classes from './client-proof.module.css';
import { type ProofView, useViews } from './proof-pages.tsx';

interface Props {
  proof: ShownProof;
  view: ProofView;
  onView: (view: ProofView) => void;
  /** Shows what was noticed. */
  onFindings: () => void;
}

const comparisons: readonly ProofView[] = ['compare', 'changes'];

/** The keys of the proof besides those of its pages, and the list of all of them. */
export function ProofKeys({ proof, view, onView, onFindings }: Props) {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  const compared = useViews(proof).filter(({ value }) => comparisons.includes(value));
  // From one comparison to the next, and back to what will print.
  const next = compared[compared.findIndex(({ value }) => value === view) + 1]?.value ?? 'production';
  useShortcuts('keys.viewer', [
    ...(proof.shows.findings ? [{ keys: 'f', label: 'clientProof.tab.findings', run: onFindings }] : []),
    ...(compared.length > 0 ? [{ keys: 'c', label: 'compare.compare', run: () => onView(next) }] : []),
  ]);
  useShortcuts('keys.everywhere', [{ keys: '?', label: 'keys.sheet', run: () => setOpen(true) }]);
  return (
    <>
      <UnstyledButton
        className={classes.keys}
        aria-label={t('keys.sheet')}
        title={t('keys.sheet')}
        onClick={() => setOpen(true)}
      >
        ?
      </UnstyledButton>
      <ShortcutSheet isOpen={isOpen} onClose={() => setOpen(false)} hasAccount={false} />
    </>
  );
}
