import { TextInput } from '@mantine/core';
import type { ShownProof } from '@pdf2press/contract';
import { useTranslation } from 'react-i18next';

/** Whoever decides, as they name themselves. */
export interface Person {
  name: string;
  email: string;
  title: string;
}

type Form = NonNullable<ShownProof['form']>;

const asks = { name: 'isNameRequired', email: 'isEmailRequired', title: 'isTitleRequired' } as const;
const fields = Object.keys(asks) as (keyof Person)[];

/** The fields that lack a value or hold none that can be used. */
export const faultyFields = (form: Form, person: Person): (keyof Person)[] =>
  fields.filter((field) => form[asks[field]] && !(field === 'email' ? /^\S+@\S+\.\S+$/ : /\S/).test(person[field]));

const words = {
  name: 'clientProof.field.name',
  email: 'field.email',
  title: 'clientProof.field.title',
} as const;
const hints = { name: 'name', email: 'email', title: 'organization-title' } as const;

interface Props {
  form: Form;
  value: Person;
  onChange: (value: Person) => void;
  /** Those to be named as faulty. */
  faulty: readonly (keyof Person)[];
}

export function PersonFields({ form, value, onChange, faulty }: Props) {
  const { t } = useTranslation();
  return fields
    .filter((field) => form[asks[field]])
    .map((field) => (
      <TextInput
        key={field}
        label={t(words[field])}
        type={field === 'email' ? 'email' : 'text'}
        autoComplete={hints[field]}
        maxLength={200}
        withAsterisk
        value={value[field]}
        error={faulty.includes(field) && t(field === 'email' ? 'clientProof.needsEmail' : 'proof.fieldMissing')}
        onChange={(event) => onChange({ ...value, [field]: event.currentTarget.value })}
      />
    ));
}
