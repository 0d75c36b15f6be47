import { Stack } from '@mantine/core';
import type { StepKind, WorkflowStep } from '@pdf2press/contract';
import { stepContracts } from '@pdf2press/steps/contracts';
import {
  type FieldShape,
  FieldSurroundings,
  SettingsFields,
  type SettingsWords,
  shapeOf,
  withoutAddedLists,
  withoutRuledOut,
} from '@pdf2press/ui';
import { lazy, type ReactNode, Suspense, useEffect, useMemo, useRef } from 'react';
import { type Control, type FieldValues, useForm } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { useUnit } from '../preferences/use-unit.ts';
import { fieldEditors, Placeholders } from '../rules/field-editors.tsx';
import { RuleSurroundingsProvider } from '../rules/rule-surroundings.ts';
import { SampleSession, useSampleSession } from '../rules/sample-session.tsx';
import { useEvaluations } from '../rules/use-evaluations.ts';
import { useBuilder, useBuilt, useDraft } from './builder-store.ts';
import { useBuilderWords } from './builder-words.ts';
import { kindWord, portsOf, profileOf } from './step-kinds.ts';
import { isSame } from './workflow-differences.ts';

const shapes = new Map<StepKind, FieldShape | null>();

/** The fields of a kind's settings, read from its schema; the profile has a field of its own. */
function shapeOfKind(kind: StepKind): FieldShape | null {
  const known = shapes.get(kind);
  if (known !== undefined) return known;
  const whole = shapeOf(stepContracts[kind].settings);
  const own = profileOf(kind) ? ['profileId'] : [];
  const shape: FieldShape | null =
    whole.kind === 'group'
      ? {
          ...whole,
          isInOrder: true,
          fields: whole.fields.filter(([key, field]) => !own.includes(key) && isShown(field)),
        }
      : null;
  shapes.set(kind, shape);
  return shape;
}

/** A field that would show nothing to fill in is left out; its stored value stays. */
const isShown = (shape: FieldShape): boolean =>
  shape.kind !== 'unknown' &&
  !(shape.kind === 'rows' && shape.row.kind === 'group' && shape.row.fields.some(([, one]) => one.kind === 'unknown'));

/** Whether a setting's rules or texts name variables. */
function usesNames(shape: FieldShape): boolean {
  switch (shape.kind) {
    case 'group':
      return shape.fields.some(([, inner]) => usesNames(inner));
    case 'rows':
      return usesNames(shape.row);
    case 'text':
      return shape.placeholders !== undefined;
    case 'custom':
      return shape.editor === 'ruleGroup' || shape.editor === 'variableValues';
    default:
      return false;
  }
}

const NamePreview = lazy(async () => ({ default: (await import('../renaming/name-preview.tsx')).NamePreview }));

/** Whether a step names files by rules of its own, instead of by a profile. */
const hasOwnNames = ({ kind, settings }: WorkflowStep): boolean =>
  profileOf(kind)?.kind === 'renaming' && 'pattern' in stepContracts[kind].settings.shape && !settings.profileId;

export function wordsOfKind(kind: StepKind, language: string): SettingsWords {
  return {
    label: (path) => kindWord(kind, `settings.${path}`, language) ?? path,
    help: (path) => kindWord(kind, `settings.${path}.hint`, language),
    option: (path, value) => kindWord(kind, `settings.${path}.${value}`, language) ?? value,
  };
}

/** The form of a step's settings, made from its contract. Each change is in the workflow at once, and can be undone. */
export function StepSettings({ step, isReadOnly }: { step: WorkflowStep; isReadOnly: boolean }) {
  const { i18n } = useTranslation();
  const builder = useBuilder();
  const [unit, setUnit] = useUnit();
  const shape = shapeOfKind(step.kind);
  const form = useForm<{ settings: Record<string, unknown> }>({ defaultValues: { settings: step.settings } });
  const words = useMemo(() => wordsOfKind(step.kind, i18n.language), [step.kind, i18n.language]);
  // What the form sent last: anything else that stands in the workflow came from elsewhere, an undo for instance.
  const sent = useRef(step.settings);
  useEffect(() => {
    if (isSame(sent.current, step.settings)) return;
    sent.current = step.settings;
    form.reset({ settings: step.settings });
  }, [step.settings, form]);
  useEffect(() => {
    const { unsubscribe } = form.watch(({ settings }, { name }) => {
      if (name === undefined || !settings) return;
      // A copy, since the form changes its values in place, and as JSON has it: fields that hold nothing yet are not there.
      const copy: unknown = JSON.parse(JSON.stringify(settings));
      const kept = shape ? withoutAddedLists(shape, withoutRuledOut(shape, copy), sent.current) : copy;
      const next = kept as Record<string, unknown>;
      sent.current = next;
      builder.setSettings(step.id, next);
    });
    return unsubscribe;
  }, [form, builder, step.id, shape]);
  if (!shape || (shape.kind === 'group' && shape.fields.length === 0)) return null;
  return (
    <Surroundings step={step} asksNames={usesNames(shape)}>
      <SettingsFields
        shape={shape}
        name="settings"
        // A control of one kind of values is never assignable to one of another.
        control={form.control as unknown as Control<FieldValues>}
        words={words}
        unit={unit}
        onUnitChange={setUnit}
        isReadOnly={isReadOnly}
      />
      {hasOwnNames(step) && (
        <Suspense>
          <NamePreview settings={step.settings} />
        </Suspense>
      )}
    </Surroundings>
  );
}

/** What the fields of a step need besides their values: faults at their places, the names that texts and rules may use. */
function Surroundings({
  step,
  asksNames,
  children,
}: {
  step: WorkflowStep;
  /** Whether rules or texts use names, whose values a session of the past can show. */
  asksNames: boolean;
  children: ReactNode;
}) {
  const words = useBuilderWords();
  const { variables, steps } = useDraft();
  const workflowId = useBuilt((state) => state.workflowId);
  const allIssues = useBuilt((state) => state.issues);
  const sample = useSampleSession(workflowId);
  const evaluations = useEvaluations({
    sessionId: sample?.id ?? null,
    stepId: step.id,
    settings: step.settings,
    variables,
  });
  const fields = useMemo(
    () => ({
      editors: fieldEditors,
      Placeholders,
      faultOf: (name: string) => {
        const issue = allIssues.find(({ stepId, field }) => stepId === step.id && `settings.${field}` === name);
        return issue && words.issue(issue);
      },
    }),
    [allIssues, step.id, words],
  );
  const rules = useMemo(
    () => ({
      variables,
      workflowId,
      stepId: step.id,
      steps: steps
        .filter((other) => other.id !== step.id && portsOf(other).length > 0)
        .map((other) => ({ id: other.id, title: words.title(other) })),
      evaluationOf: (name: string) => evaluations.get(name.replace(/^settings\./, '')),
    }),
    [variables, workflowId, step.id, steps, words, evaluations],
  );
  return (
    <RuleSurroundingsProvider value={rules}>
      <FieldSurroundings value={fields}>
        <Stack gap="md">
          {asksNames && <SampleSession workflowId={workflowId} />}
          {children}
        </Stack>
      </FieldSurroundings>
    </RuleSurroundingsProvider>
  );
}
