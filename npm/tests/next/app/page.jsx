'use client';
import 'systolic-playground';
export default function Page() { return <systolic-playground rows="4" />; }
