import { Button, Checkbox, NumberInput, SegmentedControl, Stack, Text } from '@mantine/core';
import type { SessionPage } from '@pdf2press/contract';
import { useTranslation } from 'react-i18next';
import { formatNumber } from '../language/formats.ts';
import { heatColour } from './ink-plates.ts';
import type { InkView, PageSource } from './page-source.ts';
import { useCoverage } from './use-coverage.ts';
import classes from './viewer.module.css';

/** A usual limit for coated sheetfed offset, in percent. */
const usualLimit = 300;

export interface InkMenuProps {
  source: PageSource;
  page: SessionPage;
  value: InkView;
  onChange: (value: InkView) => void;
}

/** What can be chosen in the menu of inks. */
export function InkChoice({ source, page, value, onChange }: InkMenuProps) {
  const { t } = useTranslation();
  const change: Record<InkView['kind'], () => InkView> = {
    all: () => ({ kind: 'all' }),
    inks: () => ({ kind: 'inks', ids: page.inks.map((ink) => ink.id) }),
    heat: () => ({ kind: 'heat', limit: usualLimit }),
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
      {value.kind === 'inks' && <InkList source={source} page={page} ids={value.ids} onChange={onChange} />}
      {value.kind === 'heat' && (
        <>
          <NumberInput
            label={t('viewer.inkLimit')}
            suffix=" %"
            min={50}
            max={400}
            step={10}
            value={value.limit}
            onChange={(limit) => onChange({ kind: 'heat', limit: Math.max(1, Number(limit) || usualLimit) })}
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

/** The inks of the page with how much of it each covers; one can be shown alone. */
function InkList({ source, page, ids, onChange }: Omit<InkMenuProps, 'value'> & { ids: readonly number[] }) {
  const { t } = useTranslation();
  const coverage = useCoverage(source, page);
  const show = (wanted: readonly number[]) => onChange({ kind: 'inks', ids: wanted });
  return (
    <div className={classes.inkList}>
      {page.inks.map((ink, at) => {
        const isAlone = ids.length === 1 && ids[0] === ink.id;
        const share = coverage?.[at];
        return (
          <div key={ink.id} className={classes.ink}>
            <Checkbox
              checked={ids.includes(ink.id)}
              label={
                <>
                  <i className={classes.swatch} style={{ background: ink.hex }} />
                  {ink.name}
                </>
              }
              onChange={({ currentTarget }) =>
                show(currentTarget.checked ? [...ids, ink.id] : ids.filter((id) => id !== ink.id))
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
              onClick={() => show(isAlone ? page.inks.map(({ id }) => id) : [ink.id])}
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
