import { Accordion, Badge, Group, Switch, Text } from '@mantine/core';
import { type CheckKey, checkContracts } from '@pdf2press/preflight/contracts';
import { type FieldShape, SettingsFields, type SettingsWords } from '@pdf2press/ui';
import { type ReactNode, useState } from 'react';
import type { Control, FieldValues } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { useUnit } from '../preferences/use-unit.ts';
import { KindHelp } from '../profiles/kind-help.tsx';
import { ChangedBadge } from './changed-badge.tsx';
import { CheckScope, CheckSeverities, CheckTexts, type Note, StandardRules } from './check-frame.tsx';
import { shapeAt } from './check-search.ts';
import { CheckSummary } from './check-summary.tsx';
import { checkWords } from './check-words.ts';
import classes from './preflight.module.css';
import { type Differences, differencesIn } from './preset-differences.ts';

interface Props {
  checkKey: CheckKey;
  shape: FieldShape | undefined;
  at: number;
  isOn: boolean;
  differences: Differences | null;
  control: Control<FieldValues>;
  isReadOnly: boolean;
  onToggle: (isOn: boolean) => void;
}

/** A check with its switch; when open, its limits, severities and scope. */
export function CheckCard({ checkKey, shape, at, isOn, differences, control, isReadOnly, onToggle }: Props) {
  const { t, i18n } = useTranslation();
  const [unit, setUnit] = useUnit();
  const words = checkWords(checkKey, i18n.language, t);
  const changes = differences ? differencesIn(differences, checkKey) : 0;
  /** The badge behind a value of this check that differs from the preset. */
  const note: Note = (path, sayOption) => {
    const whole = `${checkKey}.${path}`;
    if (!differences?.has(whole)) return null;
    const field = shape && shapeAt(shape, path.split('.').slice(1));
    const isLength = field?.kind === 'lengths' || (field?.kind === 'number' && field.unit === 'length');
    return <ChangedBadge value={differences.get(whole)} sayOption={sayOption} isLength={isLength} />;
  };
  const frame = { name: `settings.checks.${at}`, control, isReadOnly, note };
  const settingsWords: SettingsWords = {
    ...words,
    note: (path) => note(`settings.${path}`, (value) => words.option(path, value)),
  };
  return (
    <Accordion.Item value={checkKey}>
      <Group wrap="nowrap" gap={0} pe="md">
        <Accordion.Control disabled={!isOn}>
          <Group gap={8}>
            <Text fw={550}>{words.name}</Text>
            {changes > 0 && (
              <Badge size="xs" variant="light" color="info" tt="none" fw={500}>
                {t('preflight.differences', { count: changes })}
              </Badge>
            )}
          </Group>
          {isOn ? (
            <CheckSummary checkKey={checkKey} shape={shape} name={frame.name} control={control} words={words} />
          ) : (
            words.about && (
              <Text size="sm" c="dimmed" lineClamp={1} title={words.about}>
                {words.about}
              </Text>
            )
          )}
        </Accordion.Control>
        <KindHelp help={checkContracts[checkKey].help} name={words.name} />
        <Switch
          ms={8}
          aria-label={words.name}
          checked={isOn}
          disabled={isReadOnly}
          onChange={(event) => onToggle(event.currentTarget.checked)}
        />
      </Group>
      {isOn && (
        <Accordion.Panel>
          {shape && (
            <SettingsFields
              shape={shape}
              name={`settings.checks.${at}.settings`}
              control={control}
              words={settingsWords}
              unit={unit}
              onUnitChange={setUnit}
              isReadOnly={isReadOnly}
            />
          )}
          <Part title={t('preflight.severities')} isShown={hasSeverities(checkKey)}>
            <CheckSeverities checkKey={checkKey} {...frame} />
          </Part>
          <Part title={t('preflight.scope')}>
            <CheckScope checkKey={checkKey} {...frame} />
          </Part>
          <FoldedPart title={t('preflight.ownWords')}>
            <CheckTexts {...frame} />
          </FoldedPart>
          <FoldedPart title={t('preflight.standardRules')}>
            <StandardRules checkKey={checkKey} {...frame} />
          </FoldedPart>
        </Accordion.Panel>
      )}
    </Accordion.Item>
  );
}

const hasSeverities = (key: CheckKey): boolean =>
  Object.values(checkContracts[key].rules as Record<string, string>).some((severity) => severity !== 'Measured');

function Part({ title, isShown = true, children }: { title: string; isShown?: boolean; children: ReactNode }) {
  if (!isShown) return null;
  return (
    <section className={classes.part} aria-label={title}>
      <Text fw={600} size="sm" mb="xs">
        {title}
      </Text>
      {children}
    </section>
  );
}

/** Rarely used settings, folded by default. */
const FoldedPart = ({ title, children }: { title: string; children: ReactNode }) => {
  const [isOpen, setOpen] = useState(false);
  return (
    <details className={classes.part} open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{title}</summary>
      {isOpen && <div className={classes.folded}>{children}</div>}
    </details>
  );
};
