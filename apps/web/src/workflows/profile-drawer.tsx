import { Drawer } from '@mantine/core';
import { lazy, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { FormDrawerProvider } from '../frame/form-drawer.ts';
import type { UsedKind } from '../profiles/profiles-screen.tsx';

const forms = {
  preflight: lazy(async () => ({
    default: (await import('../preflight/preflight-profile-screen.tsx')).PreflightProfileForm,
  })),
  fix: lazy(async () => ({ default: (await import('../fix/fix-profile-screen.tsx')).FixProfileForm })),
  renaming: lazy(async () => ({
    default: (await import('../renaming/renaming-profile-screen.tsx')).RenamingProfileForm,
  })),
  delivery: lazy(async () => ({
    default: (await import('../delivery/delivery-target-screen.tsx')).DeliveryTargetForm,
  })),
  sftpServer: lazy(async () => ({
    default: (await import('../sftp-servers/sftp-server-screen.tsx')).SftpServerForm,
  })),
  retention: lazy(async () => ({
    default: (await import('../retention/retention-profile-screen.tsx')).RetentionProfileForm,
  })),
  impose: lazy(async () => ({ default: (await import('../impose/impose-profile-screen.tsx')).ImposeProfileForm })),
  communication: lazy(async () => ({
    default: (await import('../communication/communication-profile-screen.tsx')).CommunicationProfileForm,
  })),
  proofing: lazy(async () => ({
    default: (await import('../proofing/proofing-profile-screen.tsx')).ProofingProfileForm,
  })),
};

interface Props {
  kind: UsedKind;
  action: 'new' | 'edit' | 'view';
  id: string | undefined;
  /** The organization that a new profile is for at first. */
  madeFor: string | undefined;
  onSaved: (saved: { id: string }) => void;
  onClose: () => void;
}

/** The form of a profile over the builder; whoever saves it comes back with the profile chosen. */
export function ProfileDrawer({ kind, action, id, madeFor, onSaved, onClose }: Props) {
  const { t } = useTranslation();
  const Form = forms[kind];
  return (
    <Drawer
      opened
      onClose={onClose}
      position="right"
      size="min(1100px, 100vw)"
      title={t(`nav.${kind}`)}
      closeOnClickOutside={false}
      closeButtonProps={{ 'aria-label': t('common.close') }}
    >
      <FormDrawerProvider value={{ onSaved, onLeave: onClose, organizationId: madeFor }}>
        <Suspense>
          <Form action={action} id={id} />
        </Suspense>
      </FormDrawerProvider>
    </Drawer>
  );
}
