import { Button, Checkbox, NumberInput, Popover, SegmentedControl, Stack, Text } from '@mantine/core';
import type { SessionPage } from '@pdf2press/contract';
import { IconChevronDown, IconDroplet } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { heatColour } from './ink-plates.ts';
import type { InkView } from './page-source.ts';
import classes from './viewer.module.css';

/** A usual limit for coated sheetfed offset, in percent. */
const usualLimit = 300;

interface Props {
  page: SessionPage;
  value: InkView;
  onChange: (value: InkView) => void;
}

/** View of the inks: composite, separations, or the total ink coverage as a heat map. */
export function InkMenu({ page, value, onChange }: Props) {
  const { t } = useTranslation();
  const all = page.inks.map((ink) => ink.id);
  const change: Record<InkView['kind'], () => InkView> = {
    all: () => ({ kind: 'all' }),
    inks: () => ({ kind: 'inks', ids: all }),
    heat: () => ({ kind: 'heat', limit: usualLimit }),
  };
  return (
    <Popover position="bottom-end" width={300} trapFocus>
      <Popover.Target>
        <Button
          variant={value.kind === 'all' ? 'default' : 'light'}
          size="xs"
          leftSection={<IconDroplet size={15} aria-hidden />}
          rightSection={<IconChevronDown size={13} aria-hidden />}
          disabled={all.length === 0}
        >
          {t('viewer.inks')}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label={t('viewer.inks')}>
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
          {value.kind === 'inks' && (
            <div className={classes.inkList}>
              {page.inks.map((ink) => (
                <Checkbox
                  key={ink.id}
                  checked={value.ids.includes(ink.id)}
                  label={
                    <>
                      <i className={classes.swatch} style={{ background: ink.hex }} />
                      {ink.name}
                    </>
                  }
                  onChange={(event) =>
                    onChange({
                      kind: 'inks',
                      ids: event.currentTarget.checked
                        ? [...value.ids, ink.id]
                        : value.ids.filter((id) => id !== ink.id),
                    })
                  }
                />
              ))}
            </div>
          )}
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
      </Popover.Dropdown>
    </Popover>
  );
}
