import { TextInput } from '@mantine/core';
import type { ShownProof } from '@pdf2press/contract';
import { useTranslation } from 'react-i18next';
import { useLeft } from './use-left.ts';

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
  /** It was sent in vain: all that lacks is said. */
  isTried: boolean;
}

export function PersonFields({ form, value, onChange, isTried }: Props) {
  const { t } = useTranslation();
  const { left, leaving } = useLeft<keyof Person>();
  const faulty = faultyFields(form, value).filter((field) => isTried || left.has(field));
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
        {...leaving(field)}
        onChange={(event) => onChange({ ...value, [field]: event.currentTarget.value })}
      />
    ));
}
