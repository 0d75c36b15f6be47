import { Button, Checkbox, NumberInput, SegmentedControl, Stack, Text } from '@mantine/core';
import type { SessionPage } from '@pdf2press/contract';
import { useTranslation } from 'react-i18next';
import { formatNumber } from '../language/formats.ts';
import { heatColour } from './ink-plates.ts';
import type { InkView, PageSource } from './page-source.ts';
import { inksOf, useCoverage } from './use-coverage.ts';
import classes from './viewer.module.css';

/** A usual limit for coated sheetfed offset, in percent. */
const usualLimit = 300;

export interface InkMenuProps {
  source: PageSource;
  /** Those that are seen together. */
  pages: readonly SessionPage[];
  /** Percent of total ink with which the map of coverage begins. */
  limit?: number;
  value: InkView;
  onChange: (value: InkView) => void;
}

/** What can be chosen in the menu of inks. */
export function InkChoice({ source, pages, limit: usual = usualLimit, value, onChange }: InkMenuProps) {
  const { t } = useTranslation();
  const change: Record<InkView['kind'], () => InkView> = {
    all: () => ({ kind: 'all' }),
    inks: () => ({ kind: 'inks', names: inksOf(pages).map(({ name }) => name) }),
    heat: () => ({ kind: 'heat', limit: usual }),
  };
  return (
    <Stack gap="sm">
      <SegmentedControl
        size="xs"
        aria-label={t('viewer.inks')}
        value={value.kind}
        onChange={(kind) => onChange(change[kind as InkView['kind']]())}
        data={(['all', 'inks', 'heat'] as const).map((kind) => ({ value: kind, label: t(`viewer.inks.${kind}`) }))}
      />
      {value.kind === 'all' && (
        <Text size="sm" c="dimmed">
          {t('viewer.inks.allText')}
        </Text>
      )}
      {value.kind === 'inks' && <InkList source={source} pages={pages} names={value.names} onChange={onChange} />}
      {value.kind === 'heat' && (
        <>
          <NumberInput
            label={t('viewer.inkLimit')}
            suffix=" %"
            min={50}
            max={400}
            step={10}
            value={value.limit}
            onChange={(limit) => onChange({ kind: 'heat', limit: Math.max(1, Number(limit) || usual) })}
          />
          <div className={classes.legend}>
            {[0.3, 0.95, 1.2].map((share) => (
              <span key={share}>
                <i className={classes.swatch} style={{ background: `rgb(${heatColour(share).join(' ')})` }} />
                {t(share < 0.9 ? 'viewer.heat.below' : share < 1 ? 'viewer.heat.near' : 'viewer.heat.above')}
              </span>
            ))}
          </div>
        </>
      )}
    </Stack>
  );
}

/** The inks of the pages with how much of them each covers; one can be shown alone. */
function InkList({ source, pages, names, onChange }: Omit<InkMenuProps, 'value'> & { names: readonly string[] }) {
  const { t } = useTranslation();
  const coverage = useCoverage(source, pages);
  const inks = inksOf(pages);
  const show = (wanted: readonly string[]) => onChange({ kind: 'inks', names: wanted });
  return (
    <div className={classes.inkList}>
      {inks.map((ink) => {
        const isAlone = names.length === 1 && names[0] === ink.name;
        const share = coverage?.get(ink.name);
        return (
          <div key={ink.name} className={classes.ink}>
            <Checkbox
              checked={names.includes(ink.name)}
              label={
                <>
                  <i className={classes.swatch} style={{ background: ink.hex }} />
                  {ink.name}
                </>
              }
              onChange={({ currentTarget }) =>
                show(currentTarget.checked ? [...names, ink.name] : names.filter((name) => name !== ink.name))
              }
            />
            <span className={classes.coverage}>
              {share !== undefined &&
                formatNumber(share, {
                  style: 'percent',
                  maximumFractionDigits: 1,
                })}
            </span>
            <Button
              size="compact-xs"
              variant={isAlone ? 'light' : 'default'}
              aria-pressed={isAlone}
              aria-label={t('viewer.inks.soloOf', { ink: ink.name })}
              onClick={() => show(isAlone ? inks.map(({ name }) => name) : [ink.name])}
            >
              {t('viewer.inks.solo')}
            </Button>
          </div>
        );
      })}
      <Text size="xs" c="dimmed">
        {t('viewer.inks.coverage')}
      </Text>
    </div>
  );
}
