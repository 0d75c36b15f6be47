import { type ValueFault, valueFaultOf, type WorkflowExport, workflowExportSchema } from '@pdf2press/contract';

/** Bytes; the largest workflow with its profiles has a small part of it. */
const largest = 32 * 1024 * 1024;

const isWorkflow = (document: unknown): boolean =>
  typeof document === 'object' && document !== null && 'format' in document && document.format === 'pdf2press-workflow';

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Not JSON: told like any other file that holds no workflow.
    return null;
  }
}

/** A workflow from a file, whatever the file is called; otherwise the one thing that is to be said of it. */
export async function readWorkflowFile(
  file: Blob,
): Promise<{ document: WorkflowExport } | { fault: Pick<ValueFault, 'code' | 'params'> }> {
  const document = file.size > largest ? null : parsed(await file.text());
  if (!isWorkflow(document)) return { fault: { code: 'workflow.importInvalid' } };
  const read = workflowExportSchema.safeParse(document, { reportInput: true });
  if (read.success) return { document: read.data };
  const [issue] = read.error.issues;
  const fault = issue && valueFaultOf(issue);
  if (fault?.code.startsWith('workflow.')) return { fault };
  return { fault: { code: 'workflow.importDamaged', params: { field: issue?.path.join('.') ?? '' } } };
}
