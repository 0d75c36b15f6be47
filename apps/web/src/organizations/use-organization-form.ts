import { type OrganizationBody, organizationBodySchema } from '@pdf2press/contract';
import { useSchemaForm } from '../frame/use-schema-form.ts';

export type OrganizationFields = ReturnType<typeof useOrganizationForm>;

/** The fields of an organization, which the form and its cards share. */
export const useOrganizationForm = (defaultValues: OrganizationBody) =>
  useSchemaForm(organizationBodySchema, { mode: 'onTouched', defaultValues });
