import { Modal } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { DialogForm } from '../frame/dialog-form.tsx';
import { MadeForField, useLacksMadeFor } from './made-for-field.tsx';

/** Asks somebody of several organizations whom what comes out of a file is for, before it is read. */
export function useMadeForQuestion(act: (file: File, organizationId: string | undefined) => Promise<unknown>): {
  take: (file: File) => Promise<unknown>;
  dialog: ReactNode;
} {
  const lacks = useLacksMadeFor();
  const [file, setFile] = useState<File | null>(null);
  return {
    take: async (given) => (lacks(undefined) ? setFile(given) : act(given, undefined)),
    dialog: file && (
      <Question
        onClose={() => setFile(null)}
        onChoose={(organizationId) => {
          setFile(null);
          void act(file, organizationId);
        }}
      />
    ),
  };
}

function Question({ onClose, onChoose }: { onClose: () => void; onChoose: (organizationId: string) => void }) {
  const { t } = useTranslation();
  const [chosen, setChosen] = useState<string | null>();
  const [isTried, setTried] = useState(false);
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('madeFor.question')}
      closeButtonProps={{ 'aria-label': t('common.close') }}
    >
      <DialogForm
        onClose={onClose}
        act={t('profiles.import')}
        isUnderway={false}
        onSubmit={(event) => {
          event.preventDefault();
          setTried(true);
          if (chosen) onChoose(chosen);
        }}
      >
        <MadeForField
          value={chosen}
          before={undefined}
          error={isTried && !chosen ? t('organization.choose') : undefined}
          onChange={setChosen}
        />
      </DialogForm>
    </Modal>
  );
}
