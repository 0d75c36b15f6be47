import { Button, Group, Stack, Switch } from '@mantine/core';
import { SettingsFields, type SettingsWords, shapeOf } from '@pdf2press/ui';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import { useSchemaForm } from '../frame/use-schema-form.ts';
import { useUnit } from '../preferences/use-unit.ts';

/** One setting of each kind that forms are generated from. */
const schema = z.object({
  settings: z.strictObject({
    length: z.number().min(0).max(100).default(24).meta({ unit: 'length' }),
    number: z.int().min(1).max(300).default(150).meta({ unit: 'ppi' }),
    choice: z.enum(['Any', 'First', 'Last']).default('First'),
    flag: z.boolean().default(true),
    text: z.string().min(1).max(100).default('PANTONE 185 C'),
    names: z.array(z.string().min(1)).default(['Cut*', 'Crease']),
    several: z.array(z.enum(['Info', 'Warn', 'Fail'])).default(['Fail']),
    group: z
      .strictObject({
        width: z.number().min(0).default(595).meta({ unit: 'length' }),
        height: z.number().min(0).default(842).meta({ unit: 'length' }),
      })
      .prefault({}),
    rows: z
      .array(z.strictObject({ name: z.string().min(1).default(''), amount: z.int().min(1).default(1) }))
      .default([{ name: 'A4', amount: 2 }]),
  }),
});
const shape = shapeOf(schema.shape.settings);
const values = schema.parse({ settings: {} });

/** The fields of settings: filled, with faults after the check, and closed for changes. */
export function SampleFields() {
  const { t } = useTranslation();
  const [unit, setUnit] = useUnit();
  const [isReadOnly, setReadOnly] = useState(false);
  const form = useSchemaForm(schema, { values, mode: 'onTouched' });
  const words: SettingsWords = {
    label: (path) => t(`gallery.field.${path.replace(/^rows[.]\d+[.]/, 'rows.')}`),
    help: (path) => (path === 'length' ? t('gallery.help') : undefined),
    option: (_, value) => value,
  };
  return (
    <Stack>
      <SettingsFields
        shape={shape}
        name="settings"
        control={form.control as never}
        words={words}
        unit={unit}
        onUnitChange={setUnit}
        isReadOnly={isReadOnly}
      />
      <Group>
        <Button
          variant="default"
          onClick={() => {
            form.setValue('settings.text', '');
            form.setValue('settings.number', 0);
            void form.trigger();
          }}
        >
          {t('gallery.break')}
        </Button>
        <Button variant="default" onClick={() => form.reset(values)}>
          {t('gallery.mend')}
        </Button>
        <Switch
          label={t('gallery.readOnly')}
          checked={isReadOnly}
          onChange={(event) => setReadOnly(event.currentTarget.checked)}
        />
      </Group>
    </Stack>
  );
}
