import { Stack } from '@mantine/core';
import type { FormEvent, ReactNode } from 'react';
import { FormProblem } from '../account/form-problems.tsx';
import { DialogFoot } from './dialog-foot.tsx';

interface Props {
  onSubmit: (event: FormEvent) => unknown;
  onClose: () => void;
  /** Label of the button that submits. */
  act: string;
  isUnderway: boolean;
  /** What the server refused. */
  error?: unknown;
  /** Further buttons, between Cancel and the action. */
  more?: ReactNode;
  children: ReactNode;
}

/** A dialog that asks for values: the server's error, the fields, and the dialog's buttons. */
export function DialogForm({ onSubmit, onClose, act, isUnderway, error, more, children }: Props) {
  return (
    <form noValidate onSubmit={(event) => void onSubmit(event)}>
      <Stack>
        <FormProblem error={error} />
        {children}
        <DialogFoot onClose={onClose} act={act} isUnderway={isUnderway}>
          {more}
        </DialogFoot>
      </Stack>
    </form>
  );
}
