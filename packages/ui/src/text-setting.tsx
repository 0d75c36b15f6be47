import { Textarea, TextInput } from '@mantine/core';
import type { VariableScope } from '@pdf2press/settings';
import { useContext, useRef } from 'react';
import { FieldSurroundings } from './field-editors.ts';
import type { SharedProps } from './settings-words.ts';

interface Props extends SharedProps {
  value: string;
  onChange: (text: string) => void;
  onBlur?: () => void;
  /** One, or how many are seen at least: the field grows with the text. */
  lines: number;
  /** The names that its placeholders may use; without it none are offered. */
  placeholders?: VariableScope | undefined;
}

/** A text; where it may hold placeholders, they can be picked and are put where the cursor stands. */
export function TextSetting({ value, onChange, lines, placeholders, ...shared }: Props) {
  const { Placeholders } = useContext(FieldSurroundings);
  const field = useRef<HTMLInputElement & HTMLTextAreaElement>(null);
  const Input = lines > 1 ? Textarea : TextInput;
  const insert = (placeholder: string) => {
    const input = field.current;
    const [from, to] = [input?.selectionStart ?? value.length, input?.selectionEnd ?? value.length];
    onChange(value.slice(0, from) + placeholder + value.slice(to));
    // The cursor goes behind what was put in, once the field holds it.
    setTimeout(() => {
      input?.focus();
      input?.setSelectionRange(from + placeholder.length, from + placeholder.length);
    });
  };
  return (
    <Input
      {...shared}
      {...(lines > 1 && { autosize: true, minRows: lines, maxRows: 3 * lines })}
      ref={field}
      value={value}
      {...(placeholders &&
        Placeholders && {
          rightSection: <Placeholders scope={placeholders} onPick={insert} disabled={shared.disabled} />,
          rightSectionPointerEvents: 'all' as const,
        })}
      onChange={(event: { currentTarget: { value: string } }) => onChange(event.currentTarget.value)}
    />
  );
}
