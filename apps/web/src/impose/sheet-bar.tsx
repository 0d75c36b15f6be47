import { ActionIcon, Group, SegmentedControl, Text } from '@mantine/core';
import type { PlanSheet } from '@pdf2press/contract';
import { IconChevronLeft, IconChevronRight, IconZoomIn, IconZoomOut } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './impose.module.css';

export type SideName = 'front' | 'back';

interface Props {
  sheet: PlanSheet;
  /** Number of the sheet, from 1. */
  at: number;
  count: number;
  side: SideName;
  zoom: number;
  lastZoom: number;
  onStep: (by: number) => void;
  onSide: (side: SideName) => void;
  onZoom: (zoom: number) => void;
}

/** Sheet, side and zoom controls. */
export function SheetBar({ sheet, at, count, side, zoom, lastZoom, onStep, onSide, onZoom }: Props) {
  const { t } = useTranslation();
  const button = (label: string, icon: ReactNode, isDisabled: boolean, act: () => void) => (
    <ActionIcon variant="default" disabled={isDisabled} aria-label={label} onClick={act}>
      {icon}
    </ActionIcon>
  );
  return (
    <Group justify="space-between" gap="xs">
      <Group gap={4} wrap="nowrap">
        {button(t('impose.sheetBefore'), <IconChevronLeft size={16} />, at <= 1, () => onStep(-1))}
        <Text size="sm" className={classes.facts} aria-live="polite">
          {t('impose.sheetOf', { number: at, count })}
        </Text>
        {button(t('impose.sheetAfter'), <IconChevronRight size={16} />, at >= count, () => onStep(1))}
      </Group>
      <SegmentedControl
        size="xs"
        aria-label={t('impose.side')}
        value={side}
        disabled={sheet.back === null}
        onChange={(value) => onSide(value === 'back' ? 'back' : 'front')}
        data={[
          { value: 'front', label: t('impose.front') },
          { value: 'back', label: t('impose.back') },
        ]}
      />
      <Group gap={4} wrap="nowrap">
        {button(t('keys.zoomOut'), <IconZoomOut size={16} />, zoom === 0, () => onZoom(zoom - 1))}
        {button(t('keys.zoomIn'), <IconZoomIn size={16} />, zoom === lastZoom, () => onZoom(zoom + 1))}
      </Group>
    </Group>
  );
}
