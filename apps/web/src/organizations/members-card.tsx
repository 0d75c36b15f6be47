import { Fieldset, Group, MultiSelect, Stack, Switch, Text } from '@mantine/core';
import type { Organization } from '@pdf2press/contract';
import { Controller } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { useMay, useMe } from '../account/use-me.ts';
import { ListRows } from '../frame/list-rows.tsx';
import { SectionCard } from '../frame/section-card.tsx';
import type { OrganizationFields } from './use-organization-form.ts';

type Person = Organization['members'][number];

interface Props {
  form: OrganizationFields;
  people: readonly Person[];
  isFixed: boolean;
}

/** Who belongs to the organization, and who of them sees nothing else. */
export function MembersCard({ form, people, isFixed }: Props) {
  const { t } = useTranslation();
  const me = useMe();
  const mayLimit = useMay()('users.manage') && !isFixed;
  const byId = new Map(people.map((person) => [person.id, person]));
  return (
    <SectionCard title={t('organizations.members')} text={t('organizations.membersText')}>
      <Fieldset variant="unstyled" disabled={isFixed}>
        <Controller
          control={form.control}
          name="members"
          render={({ field: { value = [], onChange, onBlur }, fieldState }) => (
            <Stack>
              <MultiSelect
                label={t('nav.users')}
                searchable
                disabled={isFixed}
                data={people.map(({ id, name, email }) => ({
                  value: id,
                  label: name === email ? name : `${name} (${email})`,
                }))}
                value={value.map(({ id }) => id)}
                onChange={(ids) =>
                  onChange(
                    ids.map(
                      (id) =>
                        value.find((member) => member.id === id) ?? {
                          id,
                          isRestricted: byId.get(id)?.isRestricted ?? false,
                        },
                    ),
                  )
                }
                onBlur={onBlur}
                error={fieldState.error?.message ?? fieldState.error?.root?.message}
              />
              {value.length > 0 && (
                <ListRows>
                  {value.map((member) => {
                    const name = byId.get(member.id)?.name ?? member.id;
                    return (
                      <Group key={member.id} justify="space-between" wrap="nowrap" gap="sm">
                        <Text truncate>{name}</Text>
                        <Switch
                          label={t('organizations.restricted')}
                          aria-label={t('organizations.restrictedOf', { name })}
                          labelPosition="left"
                          disabled={!mayLimit || member.id === me?.id}
                          checked={member.isRestricted ?? false}
                          onChange={(event) => {
                            const isRestricted = event.currentTarget.checked;
                            onChange(value.map((one) => (one.id === member.id ? { ...one, isRestricted } : one)));
                          }}
                        />
                      </Group>
                    );
                  })}
                </ListRows>
              )}
            </Stack>
          )}
        />
        <Switch
          mt="md"
          label={t('organizations.welcomes')}
          description={t('organizations.welcomesText')}
          {...form.register('welcomesMembers')}
        />
      </Fieldset>
    </SectionCard>
  );
}
