import type { FieldEditorProps, FieldSurroundings } from '@pdf2press/ui';
import { type ComponentType, lazy, Suspense } from 'react';

type Editor = ComponentType<FieldEditorProps>;

/** An editor that is loaded when it is first shown. */
function loaded(load: () => Promise<{ default: Editor }>): Editor {
  const Inner = lazy(load);
  return (props) => (
    <Suspense>
      <Inner {...props} />
    </Suspense>
  );
}

const Picker = lazy(async () => ({ default: (await import('./placeholder-picker.tsx')).PlaceholderPicker }));

/** The editors of values that no plain field can show, by the names that schemas give in `editor`. */
export const fieldEditors: FieldSurroundings['editors'] = {
  ruleGroup: loaded(async () => ({ default: (await import('./rule-group-field.tsx')).RuleGroupField })),
  reference: loaded(async () => ({ default: (await import('./reference-field.tsx')).ReferenceField })),
  variableValues: loaded(async () => ({ default: (await import('./variable-values-field.tsx')).VariableValuesField })),
  secret: loaded(async () => ({ default: (await import('./secret-field.tsx')).SecretField })),
  chatHook: loaded(async () => ({ default: (await import('./secret-field.tsx')).ChatHookField })),
  signingSecret: loaded(async () => ({ default: (await import('./secret-field.tsx')).SigningSecretField })),
  assignee: loaded(async () => ({ default: (await import('./assignee-field.tsx')).AssigneeField })),
  workflowVariable: loaded(async () => ({ default: (await import('./variable-field.tsx')).VariableField })),
  workflowStep: loaded(async () => ({ default: (await import('./workflow-step-field.tsx')).WorkflowStepField })),
  timeOfDay: loaded(async () => ({ default: (await import('./time-of-day-field.tsx')).TimeOfDayField })),
  words: loaded(async () => ({ default: (await import('./words-field.tsx')).WordsField })),
  waysIn: loaded(async () => ({ default: (await import('./ways-in-field.tsx')).WaysInField })),
};

/** Offers the names that a text may use. */
export const Placeholders: NonNullable<FieldSurroundings['Placeholders']> = (props) => (
  <Suspense>
    <Picker {...props} />
  </Suspense>
);

/** For the forms of profiles: their texts hold placeholders, and serve workflows of any variables. */
export const profileFields: FieldSurroundings = { editors: fieldEditors, Placeholders, faultOf: () => undefined };
