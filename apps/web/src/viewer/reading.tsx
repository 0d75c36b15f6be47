import { Button } from '@mantine/core';
import { IconBook2, IconChevronDown } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { create } from 'zustand';
import { LateMenu } from '../frame/late-menu.tsx';
import type { Shortcut } from '../frame/shortcuts.ts';
import { pagesSeen, type Reading, readings } from './openings.ts';
import classes from './viewer.module.css';

/** How pages are read; remembered until the page of the browser is left. */
export const useReading = create<{ reading: Reading }>(() => ({ reading: 'single' }));
const read = (reading: Reading): void => useReading.setState({ reading });

/** Numbers of the pages of a file that are seen together with this one. */
export const usePagesSeen = (current: number, count: number): readonly number[] =>
  pagesSeen(useReading().reading, current, count);

/** The next way of reading, after the last one the first. */
export const readingKey: Shortcut = {
  keys: 'v',
  label: 'keys.reading',
  run: () => {
    const at = readings.indexOf(useReading.getState().reading);
    read(readings[(at + 1) % readings.length] ?? 'single');
  },
};

/** How the pages are shown: one by one, as openings, or as leaves that turn. */
export function ReadingMenu() {
  const { t } = useTranslation();
  const { reading } = useReading();
  return (
    <LateMenu
      button={(opener) => (
        <Button
          variant={reading === 'single' ? 'default' : 'light'}
          size="xs"
          title={t('viewer.reading')}
          leftSection={<IconBook2 size={15} aria-hidden />}
          rightSection={<IconChevronDown size={13} aria-hidden />}
          {...opener}
        >
          <span className={classes.menuWord}>{t('viewer.reading')}</span>
        </Button>
      )}
      entries={() => [
        {
          choices: readings.map((value) => ({ value, label: t(`viewer.reading.${value}`) })),
          chosen: reading,
          choose: (value) => read(readings.find((one) => one === value) ?? 'single'),
        },
      ]}
    />
  );
}
