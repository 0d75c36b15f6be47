import { Checkbox } from '@mantine/core';
import { BytesField, NumberField } from '@pdf2press/ui';
import { useId } from 'react';
import { Controller, type FieldPath, useFormContext } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import type { SubscriberFields } from './use-subscriber-form.ts';

/** A limit of a plan, which may be none. Sizes are typed in the unit of one's choice. */
export function LimitField({
  name,
  label,
  initial,
  isBytes = false,
}: {
  name: FieldPath<SubscriberFields>;
  label: string;
  /** Taken when a limit is set. */
  initial: number;
  isBytes?: boolean;
}) {
  const { t } = useTranslation();
  const { control } = useFormContext<SubscriberFields>();
  const id = useId();
  return (
    <Controller
      control={control}
      name={name}
      render={({ field: { value, onChange, ref }, fieldState }) => {
        const isOff = value === null || value === undefined;
        const shared = {
          label: null,
          'aria-labelledby': id,
          labelledBy: id,
          value: isOff ? null : Number(value),
          onChange,
          disabled: isOff,
          placeholder: t('plan.unlimited'),
          error: fieldState.error?.message,
        };
        const { labelledBy, 'aria-labelledby': labelled, ...rest } = shared;
        return (
          <div>
            <Checkbox
              ref={ref}
              mb={4}
              label={<span id={id}>{label}</span>}
              checked={!isOff}
              onChange={(event) => onChange(event.currentTarget.checked ? initial : null)}
            />
            {isBytes ? (
              <BytesField {...rest} labelledBy={labelledBy} />
            ) : (
              <NumberField {...rest} aria-labelledby={labelled} allowDecimal={false} />
            )}
          </div>
        );
      }}
    />
  );
}
