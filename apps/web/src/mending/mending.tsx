import { Button } from '@mantine/core';
import { IconChevronDown, IconTool } from '@tabler/icons-react';
import { lazy, Suspense, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './mending.module.css';

const MendingSteps = lazy(async () => ({ default: (await import('./mending-steps.tsx')).MendingSteps }));

/** How to mend what a finding tells, behind a button; nothing where it is not the customer's to mend. */
export function Mending({ remedy }: { remedy: string | null }) {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  if (remedy === null) return null;
  return (
    <div className={classes.mending}>
      <Button
        variant="subtle"
        size="compact-sm"
        leftSection={<IconTool size={16} aria-hidden />}
        rightSection={<IconChevronDown size={16} aria-hidden data-open={isOpen || undefined} />}
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        onClick={() => setOpen(!isOpen)}
      >
        {t('mending.title')}
      </Button>
      {isOpen && (
        <div id={id}>
          <Suspense>
            <MendingSteps remedy={remedy} />
          </Suspense>
        </div>
      )}
    </div>
  );
}
