import { Alert, Button, Group, Text } from '@mantine/core';
import { IconCheck, IconX } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './demo.module.css';
import { SamplePage } from './sample-page.tsx';

/** What the customer sees and answers. */
export function DemoProof() {
  const { t } = useTranslation();
  const [decision, setDecision] = useState<'approved' | 'declined' | null>(null);
  return (
    <div className={classes.beside}>
      <SamplePage isFixed chosen={null} />
      <div className={classes.stop}>
        <Text fw={600}>{t('demo.proof.ask')}</Text>
        <Text>{t('demo.proof.left')}</Text>
        <Group>
          <Button leftSection={<IconCheck size={16} aria-hidden />} onClick={() => setDecision('approved')}>
            {t('demo.proof.approve')}
          </Button>
          <Button
            variant="default"
            leftSection={<IconX size={16} aria-hidden />}
            onClick={() => setDecision('declined')}
          >
            {t('demo.proof.decline')}
          </Button>
        </Group>
        {/* The place is there from the start, so that what comes into it is read out. */}
        <div role="status">
          {decision && (
            <Alert color={decision === 'approved' ? 'success' : 'warning'}>{t(`demo.proof.${decision}`)}</Alert>
          )}
        </div>
      </div>
    </div>
  );
}
