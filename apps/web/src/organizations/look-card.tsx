import { ColorInput, Fieldset, SimpleGrid, Stack, TextInput } from '@mantine/core';
import { Controller } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { SectionCard } from '../frame/section-card.tsx';
import { formatNumber } from '../language/formats.ts';
import { contrast, isHex, primaryShades, white } from '../theme/colours.ts';
import { light } from '../theme/palette.ts';
import { LogoField } from './logo-field.tsx';
import classes from './organizations.module.css';
import type { OrganizationFields } from './use-organization-form.ts';

/** Name, colour and logos. */
export function LookCard({ form, isFixed }: { form: OrganizationFields; isFixed: boolean }) {
  const { t } = useTranslation();
  const { errors } = form.formState;
  return (
    <SectionCard title={t('organizations.look')}>
      <Fieldset variant="unstyled" disabled={isFixed}>
        <Stack>
          <SimpleGrid cols={{ base: 1, sm: 2 }}>
            <TextInput label={t('field.name')} withAsterisk error={errors.name?.message} {...form.register('name')} />
            <Controller
              control={form.control}
              name="color"
              render={({ field: { value = '', ...field }, fieldState }) => (
                <ColorInput
                  label={t('organizations.color')}
                  description={t('organizations.colorText')}
                  format="hex"
                  withEyeDropper={false}
                  disabled={isFixed}
                  error={fieldState.error?.message}
                  value={value}
                  {...field}
                />
              )}
            />
          </SimpleGrid>
          <ColourRuling colour={form.watch('color') ?? ''} />
          <SimpleGrid cols={{ base: 1, sm: 2 }}>
            {(['pageLogo', 'emailLogo'] as const).map((name) => (
              <Controller
                key={name}
                control={form.control}
                name={name}
                render={({ field: { value = null, onChange } }) => (
                  <LogoField
                    label={t(`organizations.${name}`)}
                    help={t(`organizations.${name}Text`)}
                    value={value}
                    onChange={onChange}
                    isFixed={isFixed}
                  />
                )}
              />
            ))}
          </SimpleGrid>
        </Stack>
      </Fieldset>
    </SectionCard>
  );
}

/** How well the colour reads on white, and the shade that texts get where it does not. */
function ColourRuling({ colour }: { colour: string }) {
  const { t } = useTranslation();
  if (!isHex(colour)) return null;
  const { strong } = primaryShades(colour, { isDark: false, surface: light.surface, canvas: light.canvas });
  const ratio = formatNumber(contrast(colour, white), { maximumFractionDigits: 1 });
  const isSame = strong.toLowerCase() === colour.toLowerCase();
  return (
    <p className={classes.ruling} role="status">
      <span className={classes.swatch} style={{ background: colour }} aria-hidden />
      {!isSame && <span className={classes.swatch} style={{ background: strong }} aria-hidden />}
      {isSame ? t('organizations.colorReads', { ratio }) : t('organizations.colorCorrected', { ratio, shade: strong })}
    </p>
  );
}
