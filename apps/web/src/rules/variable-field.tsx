import type { FieldEditorProps } from '@pdf2press/ui';
import { ChoiceField } from './choice-field.tsx';
import { useRuleSurroundings } from './rule-surroundings.ts';

/** The editor of a setting that names a variable of the workflow. */
export function VariableField(props: FieldEditorProps) {
  const { variables } = useRuleSurroundings();
  return <ChoiceField {...props} choices={variables.map(({ name }) => ({ value: name, label: name }))} />;
}
