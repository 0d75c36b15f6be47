import { Button } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './impose.module.css';
import { sectionKeys } from './impose-settings.ts';

/** The parts of the form that fold, in order. */
export const formSections = [...sectionKeys, 'output', 'bindings'] as const;
type FormSection = (typeof formSections)[number];

/** The fragment of a part of the form. */
export const anchorOf = (section: FormSection): string => `impose-${section}`;

export interface Fold {
  isOpen: boolean;
  onToggle: () => void;
}

/** Open at first: what every imposition needs. */
const firstOpen: readonly FormSection[] = ['sheet', 'own'];

/**
 * Which parts are open. All of them after a try to save, because a fault may be in any.
 * @param tries how often saving was tried
 */
export function useFolds(tries: number) {
  const [opened, setOpened] = useState<ReadonlySet<FormSection>>(new Set(firstOpen));
  useEffect(() => {
    if (tries > 0) setOpened(new Set(formSections));
  }, [tries]);
  const set = (section: FormSection, isOpen: boolean) =>
    setOpened((before) => new Set(isOpen ? [...before, section] : [...before].filter((one) => one !== section)));
  return {
    foldOf: (section: FormSection): Fold => {
      const isOpen = opened.has(section);
      return { isOpen, onToggle: () => set(section, !isOpen) };
    },
    open: (section: FormSection) => set(section, true),
  };
}

/** Leads to each part of the form and opens it. */
export function SectionIndex({
  sections,
  onOpen,
}: {
  sections: readonly FormSection[];
  onOpen: (section: FormSection) => void;
}) {
  const { t } = useTranslation();
  const [asked, setAsked] = useState<{ section: FormSection } | null>(null);
  // After the part has been opened, so that there is something to scroll to.
  useEffect(() => {
    if (asked) document.getElementById(anchorOf(asked.section))?.scrollIntoView({ block: 'start' });
  }, [asked]);
  return (
    <nav className={classes.index} aria-label={t('impose.index')}>
      {sections.map((section) => (
        <Button
          key={section}
          variant="default"
          size="compact-sm"
          onClick={() => {
            onOpen(section);
            setAsked({ section });
          }}
        >
          {t(section === 'bindings' ? 'bindings.title' : `impose.section.${section}`)}
        </Button>
      ))}
    </nav>
  );
}
