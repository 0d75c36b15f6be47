import { Drawer, Select, Stack, Text } from '@mantine/core';
import type { Session, SessionFinding } from '@pdf2press/contract';
import { fixProfileRoutes } from '@pdf2press/contract/calls';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCall } from '../client/queries.ts';
import { FormDrawerProvider } from '../frame/form-drawer.ts';
import { FixProfileForm } from './fix-profile-screen.tsx';
import { suggestedAction } from './fix-settings.ts';

/** More fix profiles than this are not offered; those of one workflow are few. */
const mostProfiles = 100;

interface Props {
  session: Pick<Session, 'id' | 'fileName' | 'workflow'>;
  finding: Pick<SessionFinding, 'message' | 'operatorMessage' | 'fixableBy'>;
  onClose: () => void;
}

/**
 * The fix that clears a finding, tried on the session's file at once. It can be saved as a profile of its own, or added to a
 * fix profile that the session's workflow uses.
 */
export function FixThisDrawer({ session, finding, onClose }: Props) {
  const { t } = useTranslation();
  const fix = useMemo(() => suggestedAction(finding.fixableBy), [finding]);
  const sample = useMemo(() => ({ sessionId: session.id, fileName: session.fileName }), [session.id, session.fileName]);
  const [target, setTarget] = useState<string | null>(null);
  const { data } = useCall(fixProfileRoutes.list, { query: { pageSize: mostProfiles } });
  const used = (data?.items ?? []).filter(({ usedBy }) => usedBy.some(({ id }) => id === session.workflow.id));
  return (
    <Drawer
      opened
      onClose={onClose}
      position="right"
      size="min(1200px, 100vw)"
      title={t('fixThis.title')}
      closeOnClickOutside={false}
      closeButtonProps={{ 'aria-label': t('common.close') }}
    >
      <Stack gap="sm" mb="md">
        <Text>{finding.message || finding.operatorMessage}</Text>
        <Select
          maw={480}
          label={t('fixThis.target')}
          description={target && t('fixThis.published', { workflow: session.workflow.name })}
          allowDeselect={false}
          value={target ?? ''}
          data={[
            { value: '', label: t('fixThis.new') },
            ...used.map(({ id, name }) => ({ value: id, label: t('fixThis.addTo', { name }) })),
          ]}
          onChange={(value) => setTarget(value || null)}
        />
      </Stack>
      <FormDrawerProvider value={{ onSaved: onClose, onLeave: onClose }}>
        <FixProfileForm
          key={target}
          action={target ? 'edit' : 'new'}
          id={target ?? undefined}
          {...(fix && { given: { fix, sample } })}
        />
      </FormDrawerProvider>
    </Drawer>
  );
}
