"""What one test run may use before it is stopped."""

from pydantic import BaseModel, ConfigDict, Field


class Limits(BaseModel):
    """Upper bounds of one test run; crossing one ends the run and is named in its report."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    seconds: float = Field(default=15.0, gt=0, le=3600)
    """Wall-clock seconds from the arrival of the job to the end of the suite."""
    memory_mb: int = Field(default=256, ge=32)
    """Memory of the whole container in MiB, swap included, temporary files included."""
    processes: int = Field(default=64, ge=8)
    """Processes and threads that may exist at once."""
    cpus: float = Field(default=1.0, gt=0)
    """Processor cores, fractions allowed."""
    output_kb: int = Field(default=1024, ge=1)
    """KiB that the suite may print before it is stopped; a report keeps only a part of it."""
    disk_mb: int = Field(default=32, ge=1)
    """MiB of temporary files."""
    file_mb: int = Field(default=16, ge=1)
    """MiB of any single file."""
