import { systemRoutes } from '@pdf2press/contract/calls';
import { useCall } from '../client/queries.ts';
import { OverageCard } from './overage-card.tsx';
import { PlanUsage } from './plan-usage.tsx';

/** The own plan: what is used of it, and what storage costs. */
export function PlanCards() {
  const { data } = useCall(systemRoutes.plan);
  if (!data) return null;
  return (
    <>
      <PlanUsage plan={data.plan} usage={data.usage} />
      <OverageCard plan={data.plan} overage={data.overage} />
    </>
  );
}
