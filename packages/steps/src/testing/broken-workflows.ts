import type { WorkflowDefinition, WorkflowIssue } from '@pdf2press/contract';
import {
  acting,
  foreignProfileId,
  nested,
  onlyRules,
  rerouted,
  routing,
  saying,
  soundWorkflow,
  when,
  without,
  withSettings,
  withStep,
  withVariables,
} from './sound-workflow.ts';

/** A rule and a workflow that breaks it, and nothing but it or what follows from it. */
export interface BrokenWorkflow {
  code: string;
  definition: () => WorkflowDefinition;
  /** Where it is told: the step, connection or variable, and the setting. */
  where: Omit<WorkflowIssue, 'code' | 'message'>;
  /** The workflow's name, where that is what is wrong. */
  name?: string;
  /** Only the server knows it: it depends on what else there is in the house. */
  isKnownToServerOnly?: true;
}

type Where = BrokenWorkflow['where'];

const told = (code: string, definition: () => WorkflowDefinition, where: Where): BrokenWorkflow => ({
  code,
  definition,
  where,
});

const toldByServer = (code: string, definition: () => WorkflowDefinition, where: Where): BrokenWorkflow => ({
  ...told(code, definition, where),
  isKnownToServerOnly: true,
});

const graph: BrokenWorkflow[] = [
  { ...told('workflow.nameMissing', soundWorkflow, { field: 'name' }), name: ' ' },
  told('workflow.injectionMissing', () => without('inject'), {}),
  told('workflow.twoInjections', () => withStep({ id: 'second', kind: 'Inject' }), { stepId: 'second' }),
  told('workflow.completionMissing', () => without('complete'), {}),
  told('workflow.twoCompletions', () => withStep({ id: 'second', kind: 'Complete' }), { stepId: 'second' }),
  told('workflow.moreThanOneStep', () => withStep({ id: 'cancel', kind: 'Cancel' }, ['hold', 'continue', 'cancel']), {
    stepId: 'hold',
    edgeId: 'n0',
  }),
  told('workflow.toPrevious', () => rerouted('e4', 'preflight'), { stepId: 'hold', edgeId: 'e4' }),
  told('workflow.toPrevious', () => rerouted('e4', 'inject'), { stepId: 'hold', edgeId: 'e4' }),
  told('workflow.toPrevious', () => rerouted('e4', 'hold'), { stepId: 'hold', edgeId: 'e4' }),
  told('workflow.notConnected', () => without('e4'), { stepId: 'hold' }),
  told('workflow.notConnected', () => withStep({ id: 'alone', kind: 'Cancel' }), { stepId: 'alone' }),
  told('workflow.conditionPaths', () => without('e3'), { stepId: 'condition' }),
  told(
    'workflow.preflightBefore',
    () => ({
      ...without('preflight'),
      edges: [...without('preflight').edges, { id: 'x', from: 'inject', outcome: 'done', to: 'condition' }],
    }),
    { stepId: 'condition' },
  ),
  told('workflow.idTwice', () => withStep({ id: 'hold', kind: 'Cancel' }), { stepId: 'hold' }),
  told('workflow.portUnknown', () => withStep({ id: 'cancel', kind: 'Cancel' }, ['hold', 'gone', 'cancel']), {
    stepId: 'hold',
    edgeId: 'n0',
  }),
  told('workflow.featureNotInPlan', () => withStep({ id: 'impose', kind: 'Impose' }), { stepId: 'impose' }),
];

const profiles: BrokenWorkflow[] = [
  told('workflow.profileMissing', () => withSettings('preflight', {}), { stepId: 'preflight', field: 'profileId' }),
  told('workflow.profileMissing', () => withStep({ id: 'proof', kind: 'Proof' }), {
    stepId: 'proof',
    field: 'profileId',
  }),
  told('workflow.profileGone', () => withSettings('preflight', { profileId: 'prf_gone' }), {
    stepId: 'preflight',
    field: 'profileId',
  }),
  told('workflow.profileGone', () => withSettings('preflight', { profileId: foreignProfileId }), {
    stepId: 'preflight',
    field: 'profileId',
  }),
];

const settings: BrokenWorkflow[] = [
  told('workflow.settingUnknown', () => withSettings('hold', { colour: 'red' }), { stepId: 'hold', field: 'colour' }),
  told('value.max', () => withSettings('hold', { timeoutHours: 9000 }), { stepId: 'hold', field: 'timeoutHours' }),
  told('value.decimal', () => withSettings('hold', { timeoutHours: 'soon' }), {
    stepId: 'hold',
    field: 'timeoutHours',
  }),
  told('value.invalid', () => withSettings('hold', { when: 'Sometimes' }), { stepId: 'hold', field: 'when' }),
  told('value.required', () => withSettings('hold', { limit: 'moment' }), { stepId: 'hold', field: 'timeoutMoment' }),
  told('workflow.variableUnknown', () => withSettings('hold', { releaseWhen: 'ink' }), {
    stepId: 'hold',
    field: 'releaseWhen',
  }),
  told('workflow.fieldTwice', () => withSettings('hold', { fields: [{ variable: 'paper' }, { variable: 'paper' }] }), {
    stepId: 'hold',
    field: 'fields.1.variable',
  }),
  toldByServer('workflow.assigneeGone', () => withSettings('hold', { assignee: 'usr_gone' }), {
    stepId: 'hold',
    field: 'assignee',
  }),
  told('workflow.stepUnknown', () => withSettings('complete', { files: 'step', step: 'gone' }), {
    stepId: 'complete',
    field: 'step',
  }),
  told('workflow.patternVariable', () => withSettings('inject', { namePattern: '{{file.sha256}}_*.pdf' }), {
    stepId: 'inject',
    field: 'namePattern',
  }),
  told('workflow.patternTwice', () => withSettings('inject', { namePattern: '{{paper}}_{{paper}}.pdf' }), {
    stepId: 'inject',
    field: 'namePattern',
  }),
  told('workflow.patternFormat', () => withSettings('inject', { namePattern: '{{paper|upper}}.pdf' }), {
    stepId: 'inject',
    field: 'namePattern',
  }),
  told(
    'workflow.patternUnclear',
    () => ({
      ...withSettings('inject', { namePattern: '{{paper}}{{copies}}.pdf' }),
      variables: withVariables({ name: 'copies', type: 'Number' }).variables,
    }),
    { stepId: 'inject', field: 'namePattern' },
  ),
  told('workflow.sourceUnknown', () => withSettings('inject', { sources: [{ kind: 'pigeon' }] }), {
    stepId: 'inject',
    field: 'sources.0.kind',
  }),
  told('value.required', () => withSettings('inject', { sources: [{ kind: 'folder', settings: {} }] }), {
    stepId: 'inject',
    field: 'sources.0.settings.path',
  }),
];

const actions: BrokenWorkflow[] = [
  told('value.required', () => acting({ url: '' }), { stepId: 'action', field: 'url' }),
  told('workflow.addressInvalid', () => acting({ url: 'https://{{paper}}.example/' }), {
    stepId: 'action',
    field: 'url',
  }),
  told('workflow.headerRefused', () => acting({ headers: [{ name: 'Host', value: 'other.example' }] }), {
    stepId: 'action',
    field: 'headers.0.name',
  }),
  told('workflow.bodyNotJson', () => acting({ body: '{"copies": {{paper}}}' }), { stepId: 'action', field: 'body' }),
  told('workflow.variableUnknown', () => acting({ answer: [{ path: 'id', variable: 'ink' }] }), {
    stepId: 'action',
    field: 'answer.0.variable',
  }),
  toldByServer('workflow.secretGone', () => acting({ secretId: 'sec_gone' }), { stepId: 'action', field: 'secretId' }),
  told('value.email', () => acting({ does: 'message', to: ['nobody'], subject: 'S', text: 'T' }), {
    stepId: 'action',
    field: 'to.0',
  }),
];

const routes: BrokenWorkflow[] = [
  told('workflow.rulesMissing', () => withSettings('condition', {}), { stepId: 'condition', field: 'when' }),
  told('workflow.rulesMissing', () => withSettings('route', {}), { stepId: 'route', field: 'rules' }),
  told('workflow.overwriteMissing', () => routing({ action: 'overwriteVariables', variables: {} }), {
    stepId: 'route',
    field: 'rules.0.variables',
  }),
  told('workflow.variableUnknown', () => routing({ action: 'overwriteVariables', variables: { ink: 'Gold' } }), {
    stepId: 'route',
    field: 'rules.0.variables.ink',
  }),
  told(
    'workflow.variableInvalid',
    () => ({
      ...routing({ action: 'overwriteVariables', variables: { copies: 'many' } }),
      variables: withVariables({ name: 'copies', type: 'Number' }).variables,
    }),
    { stepId: 'route', field: 'rules.0.variables.copies' },
  ),
  toldByServer('workflow.targetGone', () => routing({ action: 'redirect', workflowId: 'wfl_gone' }), {
    stepId: 'route',
    field: 'rules.0.workflowId',
  }),
  told(
    'workflow.idTwice',
    () =>
      withSettings('route', {
        rules: [
          { id: 'many', when, action: 'continue' },
          { id: 'many', when, action: 'cancel' },
        ],
      }),
    { stepId: 'route', field: 'rules.1.id' },
  ),
];

const inCondition = (code: string, rule: object, field: string): BrokenWorkflow =>
  told(code, () => onlyRules(rule), { stepId: 'condition', field: `when.rules.0.${field}` });

const rules: BrokenWorkflow[] = [
  told('rule.empty', () => onlyRules({ match: 'any', rules: [] }), {
    stepId: 'condition',
    field: 'when.rules.0.rules',
  }),
  told('rule.tooDeep', () => withSettings('condition', { when: nested(4) }), { stepId: 'condition', field: 'when' }),
  told('rule.tooMany', () => onlyRules(...Array.from({ length: 201 }, () => when.rules[0] ?? {})), {
    stepId: 'condition',
    field: 'when',
  }),
  inCondition('rule.factMissing', { fact: '', operator: 'equals', value: 1 }, 'fact'),
  inCondition('rule.factUnknown', { fact: 'pdf.weight', operator: 'equals', value: 1 }, 'fact'),
  inCondition('rule.operatorNotForFact', { fact: 'pdf.pageCount', operator: 'startsWith', value: 1 }, 'operator'),
  inCondition('rule.valueMissing', { fact: 'pdf.pageCount', operator: 'equals' }, 'value'),
  inCondition('rule.valueWrong', { fact: 'pdf.pageCount', operator: 'equals', value: 'many' }, 'value'),
  inCondition('rule.expressionInvalid', { fact: 'file.name', operator: 'matchesRegex', value: '(a' }, 'value'),
  inCondition('rule.variableUnknown', { fact: 'file.name', operator: 'equals', value: { variable: 'ink' } }, 'value'),
  inCondition(
    'rule.variableNotForOperator',
    { fact: 'pdf.hasTransparency', operator: 'is', value: { variable: 'paper' } },
    'value',
  ),
];

const inText = (code: string, text: string): BrokenWorkflow =>
  told(code, () => saying(text), { stepId: 'hold', field: 'reason' });

const texts: BrokenWorkflow[] = [
  inText('placeholder.unknownName', 'Ask {{clinet}}'),
  inText('placeholder.unknownFormat', 'Ask {{paper|shout}}'),
  inText('placeholder.argumentMissing', 'Ask {{paper|max}}'),
  inText('placeholder.argumentInvalid', 'Ask {{paper|max:many}}'),
  inText('placeholder.formatNotForType', 'Ask {{paper|join:x}}'),
  inText('placeholder.unclosed', 'Ask {{paper'),
  inText('placeholder.quoteUnclosed', 'Ask {{paper|default:"none}}'),
  inText('placeholder.empty', 'Ask {{}}'),
  told(
    'placeholder.tooMany',
    () => acting({ does: 'message', to: ['a@b.example'], subject: 'S', text: '{{paper}}'.repeat(1001) }),
    { stepId: 'action', field: 'text' },
  ),
];

const variables: BrokenWorkflow[] = [
  told('workflow.variableTwice', () => withVariables({ name: 'PAPER', type: 'String' }), { variable: 'PAPER' }),
  told('workflow.variableReserved', () => withVariables({ name: 'file.name', type: 'String' }), {
    variable: 'file.name',
  }),
  told('workflow.optionsMissing', () => withVariables({ name: 'size', type: 'Select' }), {
    variable: 'size',
    field: 'options',
  }),
  told('workflow.variableDefault', () => withVariables({ name: 'copies', type: 'Number', default: 'many' }), {
    variable: 'copies',
    field: 'default',
  }),
  told(
    'workflow.variableLoop',
    () =>
      withVariables({ name: 'a', type: 'String', default: '{{b}}' }, { name: 'b', type: 'String', default: '{{a}}' }),
    { variable: 'a', field: 'default' },
  ),
];

/** Every rule that keeps a workflow from being published, each with a workflow that breaks it. */
export const brokenWorkflows: readonly BrokenWorkflow[] = [
  ...graph,
  ...profiles,
  ...settings,
  ...actions,
  ...routes,
  ...rules,
  ...texts,
  ...variables,
];

/** Rules that are told at the gesture alone, since what they forbid never comes into a workflow. */
export const toldAtGestureOnly = ['workflow.alreadyConnected'];
