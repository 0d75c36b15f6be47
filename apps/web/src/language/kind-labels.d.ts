/** Labels of kinds in one language, as `check.<key>` and `step.<kind>`; made by the build (kind-labels.ts). */
declare module 'virtual:kind-labels/*' {
  const labels: Record<string, string>;
  export default labels;
}
