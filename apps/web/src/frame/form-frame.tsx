import { Button, Group } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import type { FieldErrors, FieldValues } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { FormProblem } from '../account/form-problems.tsx';
import { CallError } from '../client/call-error.ts';
import { useFormDrawer } from './form-drawer.ts';
import classes from './form-frame.module.css';
import { FormSummary, faultsOf } from './form-summary.tsx';
import { planNoticeId, useLacksFeature } from './in-plan.tsx';
import { LeaveQuestion } from './leave-question.tsx';
import { useShortcuts } from './shortcuts.ts';
import { useRootMark } from './use-root-mark.ts';

interface Props {
  /** The address that Cancel opens. */
  back: string;
  isDirty: boolean;
  isSaving: boolean;
  /** Saved: leaving needs no confirmation. */
  isDone?: boolean;
  isReadOnly?: boolean;
  /** Where saving means something else, such as sending. */
  saveLabel?: string;
  error: unknown;
  errors?: FieldErrors<FieldValues>;
  /** Labels of fields that have none in the DOM, by their path in the form. */
  nameOf?: (path: string) => string | undefined;
  onSubmit: () => void;
  children: ReactNode;
  aside?: ReactNode;
  /** On a narrow screen what stands beside the fields is unfolded at first. */
  isAsideOpen?: boolean;
}

/**
 * Every form page: fields, a preview beside them, and a bar with Cancel and Save. `Ctrl S` saves; leaving with unsaved
 * changes asks first. Save is never disabled for invalid input: it lists the faults and focuses the first.
 */
export function FormFrame({
  back,
  isDirty,
  isSaving,
  isDone = false,
  isReadOnly = false,
  saveLabel,
  error,
  errors,
  nameOf,
  onSubmit,
  children,
  aside,
  isAsideOpen = false,
}: Props) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const isLacking = useLacksFeature();
  const inDrawer = useFormDrawer();
  const leave = () => (inDrawer ? inDrawer.onLeave() : void navigate(back));
  const isFixed = isReadOnly || isLacking;
  const form = useRef<HTMLFormElement>(null);
  // On narrow screens the preview moves above the fields and can be folded.
  const isNarrow = useMediaQuery('(max-width: 975.98px)', undefined, { getInitialValueInEffect: false });
  const [isUnfolded, setUnfolded] = useState(isAsideOpen);
  // The caller navigates away before the form is marked as saved.
  const mayLeave = !isDirty || isSaving || isDone || isFixed;
  const faults = faultsOf(errors ?? {});
  const [isTried, setTried] = useState(false);
  const isAsked = useRef(false);
  useEffect(() => {
    if (!isAsked.current || faults.length === 0) return;
    isAsked.current = false;
    setTried(true);
    form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
    // Each submit creates a new errors object; typing only changes that object.
  }, [errors]);
  const submit = () => {
    isAsked.current = true;
    onSubmit();
  };
  useShortcuts('keys.form', [
    ...(isFixed ? [] : [{ keys: 'ctrl+s', label: 'common.save', isEverywhere: true, run: submit }]),
    { keys: 'Escape', label: 'keys.back', run: leave },
  ]);
  useRootMark('data-save-bar', !isReadOnly);
  const isConflict = error instanceof CallError && error.has('resource.conflict');
  return (
    <form
      ref={form}
      noValidate
      className={classes.form}
      onSubmit={(event: FormEvent) => {
        event.preventDefault();
        submit();
      }}
    >
      {!inDrawer && <LeaveQuestion isAsked={!mayLeave} />}
      <FormProblem error={error} />
      {isTried && faults.length > 0 && <FormSummary faults={faults} nameOf={nameOf} />}
      <div className={aside ? classes.halves : undefined}>
        {aside && isNarrow && (
          <details
            className={`card ${classes.folded}`}
            open={isUnfolded}
            onToggle={(event) => setUnfolded(event.currentTarget.open)}
          >
            <summary>{t('form.aside')}</summary>
            {isUnfolded && <aside className={classes.aside}>{aside}</aside>}
          </details>
        )}
        <fieldset className={classes.fields} disabled={isFixed}>
          {children}
        </fieldset>
        {aside && !isNarrow && <aside className={classes.aside}>{aside}</aside>}
      </div>
      {!isReadOnly && (
        <Group className={classes.bar} justify="end">
          {isConflict && (
            <Button variant="subtle" onClick={() => window.location.reload()} me="auto">
              {t('common.reload')}
            </Button>
          )}
          <Button variant="default" onClick={leave}>
            {t('common.cancel')}
          </Button>
          <Button
            type="submit"
            loading={isSaving}
            disabled={isLacking}
            {...(isLacking ? { 'aria-describedby': planNoticeId } : {})}
          >
            {saveLabel ?? t('common.save')}
          </Button>
        </Group>
      )}
    </form>
  );
}
