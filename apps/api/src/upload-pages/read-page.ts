import {
  mostFilesOfVisit,
  nearestLocale,
  type UploadPage,
  type WorkflowDefinition,
  type WorkflowVariable,
} from '@pdf2press/contract';
import { largestFile, readSettings } from '@pdf2press/engine';
import { storedAs, type Transaction } from '@pdf2press/prisma';
import { doorOf } from '@pdf2press/steps/door';
import { injectSettingsOf, takesOf } from '@pdf2press/steps/inject';
import type { ApiDeps } from '../deps.ts';
import { notFound } from '../frame/errors.ts';
import { logoNameOf } from '../organizations/logos.ts';
import type { OrganizationOptions } from '../organizations/read-organization.ts';
import { publishedOf } from '../workflows/read-workflow.ts';
import type { OpenedPage, PageOwner } from './open-page.ts';

type Offered = UploadPage['workflows'][number];

/** What an organization has set for its page. */
export const optionsOf = ({ options }: PageOwner) => storedAs<Partial<OrganizationOptions>>(options);

/** A value that nobody who uploads can give, and without which no file is taken. */
const lacksValue = ({ isRequired, isPublic, default: value }: WorkflowVariable): boolean =>
  isRequired && !isPublic && (value === null || value === '');

/** Whether files of the page can go to this workflow. */
function takesFromPage(definition: WorkflowDefinition): boolean {
  const { named } = takesOf(definition);
  const isNamed = ({ name }: WorkflowVariable) => named.some((one) => one.toLowerCase() === name.toLowerCase());
  return (
    injectSettingsOf(definition).ways.uploadPage &&
    !definition.variables.some((variable) => lacksValue(variable) && !isNamed(variable))
  );
}

/** The organization's workflows that take files now, by name. */
export async function readOffered(tx: Transaction, organization: PageOwner): Promise<Offered[]> {
  const rows = await tx.workflow.findMany({
    where: {
      organizationWorkflows: { some: { organizationId: organization.id } },
      deletedAt: null,
      isEnabled: true,
      publishedNo: { not: null },
    },
    orderBy: [{ name: 'asc' }, { id: 'asc' }],
  });
  const { defaults = {} } = optionsOf(organization);
  const published = await publishedOf(tx, rows);
  return rows.flatMap(({ id, name }): Offered[] => {
    const definition = published.get(id);
    if (!definition || !takesFromPage(definition)) return [];
    const variables = definition.variables
      .filter(({ isPublic }) => isPublic)
      .map((variable) => ({
        ...variable,
        default: defaults[variable.name] ?? variable.default,
      }));
    const check = doorOf(definition)?.check ?? 'off';
    return [{ id, name, types: [...takesOf(definition).types], variables, check }];
  });
}

/**
 * What a page shows to whoever opens it.
 * @throws ProblemError `resource.notFound` where no workflow takes files: there is nothing to upload to
 */
export function readPage(deps: ApiDeps, { context, organization }: OpenedPage): Promise<UploadPage> {
  const { culture, unit } = optionsOf(organization);
  const { id, subscriberId, name, color, pageLogoSha256 } = organization;
  return deps.db.withSubscriber(context, async (tx) => {
    const workflows = await readOffered(tx, organization);
    if (workflows.length === 0) throw notFound();
    const standard = await tx.organizationWorkflow.findFirst({
      where: {
        organizationId: id,
        isDefault: true,
        workflowId: { in: workflows.map((workflow) => workflow.id) },
      },
    });
    const { measurementSettings } = await readSettings(tx, subscriberId);
    const logo = logoNameOf(deps, subscriberId)(pageLogoSha256);
    return {
      house: { title: deps.env.title, organization: { name, color, logo } },
      locale: culture ? nearestLocale(culture) : null,
      unit: unit ?? measurementSettings.defaultUnit,
      workflows,
      defaultWorkflowId: standard?.workflowId ?? null,
      maxBytes: await largestFile(tx, deps.env.maxUploadBytes),
      maxFiles: mostFilesOfVisit,
    };
  });
}
