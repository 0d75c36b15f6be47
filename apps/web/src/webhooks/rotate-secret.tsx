import { Radio, Stack, Text } from '@mantine/core';
import type { Webhook } from '@pdf2press/contract';
import { webhookOverlaps } from '@pdf2press/contract';
import { webhookRoutes } from '@pdf2press/contract/calls';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { SecretOnce } from '../account/secret-once.tsx';
import { call } from '../client/call.ts';
import { invalidate } from '../client/queries.ts';
import { DialogForm } from '../frame/dialog-form.tsx';

/** Makes a new secret and shows it once; the old one signs on for as long as is chosen. */
export function RotateSecret({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) {
  const { t } = useTranslation();
  const [hours, setHours] = useState('24');
  const rotate = useMutation({
    mutationFn: () => call(webhookRoutes.rotate, { params: { id: webhook.id }, body: { overlapHours: Number(hours) } }),
    onSuccess: () => invalidate(webhookRoutes.list),
  });
  if (rotate.data) return <SecretOnce text={rotate.data.secret} note={t('webhooks.once')} onClose={onClose} />;
  return (
    <DialogForm
      onSubmit={(event) => {
        event.preventDefault();
        rotate.mutate();
      }}
      onClose={onClose}
      act={t('webhooks.rotate')}
      isUnderway={rotate.isPending}
      error={rotate.error}
    >
      <Text>{t('webhooks.rotateText')}</Text>
      <Radio.Group label={t('webhooks.overlap')} value={hours} onChange={setHours}>
        <Stack gap="xs" mt="xs">
          {webhookOverlaps.map((each) => (
            <Radio
              key={each}
              value={String(each)}
              label={each === 0 ? t('webhooks.atOnce') : t('webhooks.hours', { count: each })}
            />
          ))}
        </Stack>
      </Radio.Group>
    </DialogForm>
  );
}
