import { Alert } from '@mantine/core';
import type { Present } from '@pdf2press/contract';
import { IconUsers } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { watchDraft } from '../client/live.ts';

/** Says who else has the draft open. Nothing is locked: whoever saves second is asked whose version stays. */
export function OthersHere({ workflowId }: { workflowId: string }) {
  const { t } = useTranslation();
  const [others, setOthers] = useState<readonly Present[]>([]);
  useEffect(() => watchDraft(workflowId, setOthers), [workflowId]);
  if (others.length === 0) return null;
  const names = new Intl.ListFormat(undefined, { type: 'conjunction' }).format(others.map(({ name }) => name));
  return (
    <Alert color="info" variant="light" py="xs" icon={<IconUsers size={18} aria-hidden />} role="status">
      {t('builder.othersHere', { count: others.length, names })}
    </Alert>
  );
}
